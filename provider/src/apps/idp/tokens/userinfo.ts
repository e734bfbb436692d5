import type { AppContext } from '#provider/base/http/environment.ts';
import { mediaType } from '#provider/base/http/request.ts';
import type { Services } from '#provider/accounts/services.ts';
import { readUser } from '#provider/accounts/users/read-user.ts';
import { claimsOf } from '../protocol/claims.ts';
import { boundKeyOf, readProof, spendProof } from '../protocol/dpop.ts';
import { foreignAudience } from './foreign-audience.ts';
import { readForm } from '../protocol/form.ts';
import type { UserInfoReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';

const AUTHORIZATION = /^(Bearer|DPoP) +([\w.~+/-]+=*) *$/iu;

interface PresentedToken {
  readonly token: string;
  readonly isBound: boolean;
}

/** The token from the header or form (RFC 6750, section 2; RFC 9449, section 7.1); null if the request has neither. */
async function presentedToken(context: AppContext): Promise<PresentedToken | null> {
  const header = context.req.header('authorization');
  const isForm = context.req.method === 'POST' && mediaType(context.req.raw) === 'application/x-www-form-urlencoded';
  const inForm = isForm ? ((await readForm(context.req.raw))['access_token'] ?? null) : null;
  if (header === undefined) return inForm === null ? null : { token: inForm, isBound: false };
  if (inForm !== null) throw new OAuthError('invalid_request', 'The token is there in two ways.', { rule: 'token' });
  const [, scheme = '', token] = AUTHORIZATION.exec(header) ?? [];
  if (token === undefined) {
    const message = 'The Authorization header must be Bearer or DPoP.';
    throw new OAuthError('invalid_request', message, { rule: 'token' });
  }
  return { token, isBound: scheme.toLowerCase() === 'dpop' };
}

type TokenServices = Pick<Services, 'db' | 'clock' | 'keys' | 'project'>;

/**
 * The claims of the token's user (OpenID Connect Core, section 5.3); null without a token. A bound token needs a proof of its key.
 *
 * @param url the URL of this endpoint
 */
export async function userInfo(
  services: TokenServices,
  context: AppContext,
  url: string,
): Promise<UserInfoReply | null> {
  const credential = await presentedToken(context);
  if (credential === null) return null;
  const { token, isBound } = credential;
  const live = await readAccessToken(services, token);
  const key = live === null ? null : boundKeyOf(live.claims);
  if (live === null || (key !== null) !== isBound) {
    const message = 'The access token is unknown, was revoked or has expired.';
    throw new OAuthError('invalid_token', message, live === null ? await foreignAudience(services, token) : {});
  }
  if (key !== null) {
    const target = { method: context.req.method, url, accessToken: token };
    const proof = await readProof(services, context.req.header('dpop') ?? '', target);
    if (proof.jkt !== key) throw new OAuthError('invalid_token', 'The access token is bound to another key.');
    await spendProof(services.db, proof);
  }
  if (!live.scopes.includes('openid')) throw new OAuthError('insufficient_scope', 'The token lacks the scope openid.');
  const user = await readUser(services.db, live.user_id);
  return { sub: user.user_id, ...claimsOf(user, live.scopes) };
}
