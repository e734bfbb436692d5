import { scopesFor } from '#server-rules/connected-apps.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { Services } from '#provider/accounts/services.ts';
import { boundKeyOf } from '../protocol/dpop.ts';
import { required, type Form } from '../protocol/form.ts';
import type { IntrospectionReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';
import { isReader, storedAudiences } from '../protocol/resources.ts';
import { findRefreshToken } from '../grants/refresh-tokens.ts';

/** The whole answer for a token that is not live, or not the client's (RFC 7662, section 2.2). */
const INACTIVE = { active: false } as const;

/**
 * Describes a token of the client, or an access token for the API that the client introspects for (RFC 7662). Clients without a secret may
 * not introspect every kind of token, because anybody could use their id to guess tokens (section 4).
 *
 * @param issuer this server's URL, which issued the token
 * @param asPublic the tokens that a client without a secret may introspect. The API behind such a client checks its access tokens here, as
 * the public backend SDK does. They are signed, so they cannot be guessed, and their holder can read them.
 */
export async function introspectToken(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  client: ConnectedAppSettings,
  form: Form,
  issuer: string,
  asPublic: 'nothing' | 'own access tokens' = 'nothing',
): Promise<IntrospectionReply> {
  if (client.client_type === 'public' && asPublic === 'nothing') {
    throw new OAuthError('invalid_client', 'Only a client that proves itself may ask.');
  }
  const token = required(form, 'token');
  if (client.client_type === 'public') return (await access(services, client, token)) ?? INACTIVE;
  return (await access(services, client, token)) ?? (await refresh(services, client, token, issuer)) ?? INACTIVE;
}

async function access(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  { client_id }: ConnectedAppSettings,
  token: string,
): Promise<IntrospectionReply | null> {
  const live = await readAccessToken(services, token, 'any');
  if (live === null) return null;
  if (live.client_id !== client_id && !isReader(services, live.claims.aud, client_id)) return null;
  // Includes the claims of the app's template, if it has one.
  return {
    ...live.claims,
    active: true,
    token_type: boundKeyOf(live.claims) === null ? 'Bearer' : 'DPoP',
    client_id: live.client_id,
    scope: live.scopes.join(' '),
  };
}

async function refresh(
  { db, clock, project }: Pick<Services, 'db' | 'clock' | 'project'>,
  client: ConnectedAppSettings,
  token: string,
  issuer: string,
): Promise<IntrospectionReply | null> {
  const { client_id } = client;
  const found = await findRefreshToken(db, token);
  if (found?.family.client_id !== client_id || found.token.used) return null;
  const { expires_at, created_at } = found.token;
  if (expires_at.getTime() <= clock.now()) return null;
  const allowed = scopesFor(project, client);
  if (!allowed.includes('offline_access')) return null;
  const scopes = found.family.scopes.filter((scope) => allowed.includes(scope));
  const audiences = storedAudiences({ project }, found.family.audiences);
  const [exp, iat] = [expires_at, created_at].map((at) => Math.floor(at.getTime() / 1000));
  return {
    active: true,
    token_type: 'refresh_token',
    client_id,
    scope: scopes.join(' '),
    sub: found.family.user_id,
    iss: issuer,
    aud: audiences.length === 1 ? audiences[0] : audiences,
    exp,
    iat,
    nbf: iat,
  };
}
