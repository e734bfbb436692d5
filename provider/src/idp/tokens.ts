import { jwtVerify, SignJWT } from 'jose';
import type { User } from '../../../src/domain/user.ts';
import type { Db } from '../db/tables.ts';
import { MINUTE_MS } from '../platform.ts';
import { uuid } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import type { IssuedCode } from './grants.ts';

export const ACCESS_TOKEN_MINUTES = 60;
/** RFC 9068, section 2.1: an access token is never taken for an ID token, or a session. */
const ACCESS_TYPE = 'at+jwt';
const ALGORITHM = 'RS256';

/** A signed access token (RFC 9068) that can be revoked: its id must still be kept when it is used. */
export async function issueAccessToken(
  services: Services,
  tx: Db,
  { code, familyId, issuer }: { readonly code: IssuedCode; readonly familyId: string; readonly issuer: string },
): Promise<string> {
  const now = services.clock.now();
  const token_id = uuid(services.random);
  const expires_at = new Date(now + ACCESS_TOKEN_MINUTES * MINUTE_MS);
  await tx
    .insertInto('oauth_access_tokens')
    .values({ token_id, family_id: familyId, scopes: JSON.stringify(code.scopes), expires_at })
    .execute();
  return new SignJWT({ client_id: code.client_id, scope: code.scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TYPE, kid: services.keys.signing.kid })
    .setIssuer(issuer)
    .setSubject(code.user_id)
    .setAudience(services.project.project_id)
    .setJti(token_id)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expires_at.getTime() / 1000))
    .sign(services.keys.signing.privateKey);
}

/** OpenID Connect Core, section 2, with the claims of the granted scopes (section 5.4). */
export async function signIdToken(
  services: Services,
  { code, user, issuer }: { readonly code: IssuedCode; readonly user: User; readonly issuer: string },
): Promise<string> {
  const now = Math.floor(services.clock.now() / 1000);
  return new SignJWT({
    auth_time: Math.floor(code.auth_time.getTime() / 1000),
    sid: code.session_id,
    ...(code.nonce === null ? {} : { nonce: code.nonce }),
    ...claimsOf(user, code.scopes),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: services.keys.signing.kid })
    .setIssuer(issuer)
    .setSubject(user.user_id)
    .setAudience(code.client_id)
    .setIssuedAt(now)
    .setExpirationTime(now + (ACCESS_TOKEN_MINUTES * MINUTE_MS) / 1000)
    .sign(services.keys.signing.privateKey);
}

function claimsOf(user: User, scopes: readonly string[]): Readonly<Record<string, unknown>> {
  const { first_name = '', middle_name = '', last_name = '' } = user.name;
  const name = [first_name, middle_name, last_name].filter((part) => part !== '').join(' ');
  const email = user.emails.find(({ verified }) => verified) ?? user.emails[0];
  const phone = user.phone_numbers.find(({ verified }) => verified) ?? user.phone_numbers[0];
  return {
    ...(scopes.includes('profile') && name !== '' ? { name, given_name: first_name, family_name: last_name } : {}),
    ...(scopes.includes('email') && email !== undefined ? { email: email.email, email_verified: email.verified } : {}),
    ...(scopes.includes('phone') && phone !== undefined
      ? { phone_number: phone.phone_number, phone_number_verified: phone.verified }
      : {}),
  };
}

export interface LiveAccessToken {
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
}

/** What a live access token of this project stands for; null for one that is foreign, changed, expired or revoked. */
export async function readAccessToken(services: Services, token: string): Promise<LiveAccessToken | null> {
  const currentDate = new Date(services.clock.now());
  let id: string;
  try {
    const { payload } = await jwtVerify(token, services.keys.signing.publicKey, {
      algorithms: [ALGORITHM],
      typ: ACCESS_TYPE,
      audience: services.project.project_id,
      currentDate,
      requiredClaims: ['exp', 'sub', 'jti', 'client_id'],
    });
    id = payload.jti ?? '';
  } catch {
    return null;
  }
  const live = await services.db
    .selectFrom('oauth_access_tokens')
    .innerJoin('oauth_token_families', 'oauth_token_families.family_id', 'oauth_access_tokens.family_id')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'oauth_token_families.grant_id')
    .select(['oauth_grants.user_id', 'oauth_grants.client_id', 'oauth_access_tokens.scopes'])
    .where('oauth_access_tokens.token_id', '=', id)
    .where('oauth_access_tokens.expires_at', '>', currentDate)
    .executeTakeFirst();
  if (live === undefined) return null;
  return services.project.clients.some(({ client_id }) => client_id === live.client_id) ? live : null;
}

export interface IdTokenHint {
  readonly user_id: string;
  readonly session_id: string;
}

/** Whom an ID token of ours for that client names, however long ago it expired; null when it is not one. */
export async function readIdTokenHint(
  { keys }: Pick<Services, 'keys'>,
  clientId: string,
  token: string,
): Promise<IdTokenHint | null> {
  try {
    const { payload } = await jwtVerify(token, keys.signing.publicKey, {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      audience: clientId,
      // A hint may be old (OpenID Connect RP-Initiated Logout, section 2).
      currentDate: new Date(0),
    });
    const { sub, sid } = payload;
    return typeof sub === 'string' && typeof sid === 'string' ? { user_id: sub, session_id: sid } : null;
  } catch {
    return null;
  }
}
