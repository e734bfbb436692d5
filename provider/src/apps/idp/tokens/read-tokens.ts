import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { scopesFor } from '#server-rules/connected-apps.ts';
import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { Services } from '#provider/accounts/services.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';
import { ALGORITHM } from '#provider/base/security/signing-key-rows.ts';
import { verificationKey } from '#provider/base/security/signing-keys.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import { ACCESS_TYPE, ID_TYPE } from './tokens.ts';

const TOLERANCE_SECONDS = 30;

/** The claims of a JWT that this server signed, else null. Other algorithms are rejected. */
async function signedHere(
  services: Pick<Services, 'db' | 'keys' | 'clock'>,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    const keyOf = ({ kid }: { readonly kid?: string }) => verificationKey(services, 'apps', kid);
    return (await verifyJwt(token, keyOf, { ...options, algorithms: [ALGORITHM] })).payload;
  } catch (error) {
    // If the key cannot be read, it is unknown whether the token is valid, so the error is passed on.
    if (isDatabaseUnavailable(error)) throw error;
    return null;
  }
}

export interface LiveAccessToken {
  readonly token_id: string;
  readonly family_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly claims: JWTPayload;
}

/**
 * Reads a live access token of this project; null for a foreign, changed, expired or revoked token.
 *
 * @param of `project`: only tokens for the project's own API; `any`: also tokens for another API, which open only that API (RFC 8707)
 */
export async function readAccessToken(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  token: string,
  of: 'project' | 'any' = 'project',
): Promise<LiveAccessToken | null> {
  const { db, clock, project } = services;
  const currentDate = new Date(clock.now());
  const claims = await signedHere(services, token, {
    typ: ACCESS_TYPE,
    ...(of === 'project' ? { audience: project.project_id } : {}),
    currentDate,
    // Allows for another machine's clock. The row has the token's exact expiry.
    clockTolerance: TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'sub', 'aud', 'jti', 'client_id'],
  });
  if (claims === null) return null;
  const live = await db
    .selectFrom('oauth_access_tokens')
    .innerJoin('oauth_token_families', 'oauth_token_families.family_id', 'oauth_access_tokens.family_id')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'oauth_token_families.grant_id')
    .select(['oauth_access_tokens.token_id', 'oauth_access_tokens.family_id', 'oauth_access_tokens.scopes'])
    .select(['oauth_grants.user_id', 'oauth_grants.client_id'])
    .where('oauth_access_tokens.token_id', '=', claims.jti ?? '')
    .where('oauth_access_tokens.expires_at', '>', currentDate)
    .executeTakeFirst();
  const client = live === undefined ? undefined : await findApp(services, live.client_id);
  if (live === undefined || client === undefined) return null;
  // If the client may no longer have a scope, the token loses it immediately, not only when it expires.
  const allowed = scopesFor(project, client);
  return { ...live, scopes: live.scopes.filter((scope) => allowed.includes(scope)), claims };
}

export interface IdTokenHint {
  readonly client_id: string;
  readonly user_id: string;
  /** Null if the app's own server vouched for a user without a session. */
  readonly session_id: string | null;
}

/** The client and user of an ID token that this server issued, even if it has expired; null for any other token. */
export async function readIdTokenHint(
  services: Pick<Services, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<IdTokenHint | null> {
  const claims = await signedHere(services, token, {
    typ: ID_TYPE,
    requiredClaims: ['sub', 'azp'],
    // An expired hint is accepted (OpenID Connect RP-Initiated Logout, section 2).
    currentDate: new Date(0),
  });
  const { sub, sid, azp, aud } = claims ?? {};
  // Among this server's tokens, only ID tokens have a single audience that is also the authorized party.
  if (typeof sub !== 'string' || typeof azp !== 'string' || aud !== azp) return null;
  return { client_id: azp, user_id: sub, session_id: typeof sid === 'string' ? sid : null };
}
