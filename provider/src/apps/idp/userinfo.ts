import type { AppContext } from '../../base/http/environment.ts';
import { mediaType } from '../../base/http/request.ts';
import type { Services } from '../../accounts/services.ts';
import { readUser } from '../../accounts/users/read-user.ts';
import { claimsOf } from './claims.ts';
import { readForm } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/iu;

/** The token from the header or form (RFC 6750, section 2); null when the request has neither. */
async function bearerToken(context: AppContext): Promise<string | null> {
  const header = context.req.header('authorization');
  const sent = context.req.method === 'POST' && mediaType(context.req.raw) === 'application/x-www-form-urlencoded';
  const inForm = sent ? ((await readForm(context.req.raw))['access_token'] ?? null) : null;
  if (header === undefined) return inForm;
  if (inForm !== null) throw new OAuthError('invalid_request', 'The token is there in two ways.');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw new OAuthError('invalid_request', 'The Authorization header must be Bearer.');
  return token;
}

/** The claims of the token's user (OpenID Connect Core, section 5.3); null without a token. */
export async function userInfo(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  context: AppContext,
): Promise<object | null> {
  const token = await bearerToken(context);
  if (token === null) return null;
  const live = await readAccessToken(services, token);
  if (live === null) throw new OAuthError('invalid_token', 'The access token is unknown, was revoked or has expired.');
  if (!live.scopes.includes('openid')) throw new OAuthError('insufficient_scope', 'The token lacks the scope openid.');
  const user = await readUser(services.db, live.user_id);
  return { sub: user.user_id, ...claimsOf(user, live.scopes) };
}
