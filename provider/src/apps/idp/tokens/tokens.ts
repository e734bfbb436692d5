import { contextOf, methodsOf } from '#domain/rules/authentication-methods.ts';
import { ACCESS_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { claimsFrom } from '#provider/project/settings/token-templates.ts';
import type { User } from '#domain/users/user.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { uuid } from '#provider/base/security/secrets.ts';
import { ALGORITHM, type SigningKey } from '#provider/base/security/signing-key-rows.ts';
import type { Services } from '#provider/accounts/services.ts';
import { claimsOf } from '../protocol/claims.ts';
import type { TokenFamily } from '../grants/grants.ts';
import { issueRefreshToken } from '../grants/refresh-tokens.ts';

/** RFC 9068, section 2.1: prevents that an access token is used as an ID token or a session. */
export const ACCESS_TYPE = 'at+jwt';
export const ID_TYPE = 'JWT';

function accessMinutesOf({ run_time }: Pick<ConnectedAppSettings, 'run_time'>): number {
  return run_time?.access_token_minutes ?? ACCESS_TOKEN_MINUTES;
}

export interface Issue {
  readonly client: ConnectedAppSettings;
  readonly family: TokenFamily;
  readonly user: User;
  /** The scopes of the family, or fewer. */
  readonly scopes: readonly string[];
  /** The APIs that the access token is for: those of the family, or fewer. */
  readonly audiences: readonly string[];
  readonly nonce: string | null;
  readonly issuer: string;
  readonly key: SigningKey;
  /** The key that the access token is bound to; null for a bearer token. */
  readonly jkt: string | null;
  /** The presented refresh token, if any. */
  readonly replaced?: string;
}

/** The reply of the token endpoint (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
export async function issueTokens(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'project'>,
  tx: Db,
  issue: Issue,
) {
  const access_token = await issueAccessToken(services, tx, issue);
  const { family, scopes, replaced } = issue;
  return {
    access_token,
    token_type: issue.jkt === null ? 'Bearer' : 'DPoP',
    expires_in: accessMinutesOf(issue.client) * 60,
    scope: scopes.join(' '),
    ...(family.scopes.includes('offline_access')
      ? { refresh_token: await issueRefreshToken(services, tx, family, replaced) }
      : {}),
    ...(scopes.includes('openid') ? { id_token: await signIdToken(services, issue, access_token) } : {}),
  };
}

/** A signed access token (RFC 9068) that can be revoked: it is valid only while its id is in the database. */
async function issueAccessToken(
  { clock, random, project }: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  issue: Issue,
): Promise<string> {
  const { client, family, user, scopes, issuer, key } = issue;
  const { run_time } = client;
  const now = clock.now();
  const token_id = uuid(random);
  const expires_at = new Date(now + accessMinutesOf(client) * MINUTE_MS);
  const custom = run_time === undefined ? {} : claimsFrom(run_time.access_token_template, { user });
  const second = run_time?.access_token_audience ?? null;
  const isSecond = second !== null && issue.audiences.includes(project.project_id);
  const [first = project.project_id, ...others] = [...issue.audiences, ...(isSecond ? [second] : [])];
  await tx
    .insertInto('oauth_access_tokens')
    .values({ token_id, family_id: family.family_id, scopes: JSON.stringify(scopes), expires_at })
    .execute();
  // The public backend SDK returns when a token became valid.
  const begins = run_time === undefined ? {} : { nbf: seconds(now) };
  const binding = issue.jkt === null ? {} : { cnf: { jkt: issue.jkt } };
  const own = { ...begins, client_id: family.client_id, scope: scopes.join(' '), ...authTime(family), ...binding };
  return new SignJWT({ ...custom, ...own })
    .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TYPE, kid: key.kid })
    .setIssuer(issuer)
    .setSubject(family.user_id)
    .setAudience(others.length === 0 ? first : [first, ...others])
    .setJti(token_id)
    .setIssuedAt(seconds(now))
    .setExpirationTime(seconds(expires_at.getTime()))
    .sign(key.privateKey);
}

/** OpenID Connect Core, section 2, with the claims of the granted scopes (section 5.4). */
async function signIdToken({ clock }: Pick<Services, 'clock'>, issue: Issue, accessToken: string): Promise<string> {
  const { client, family, user, scopes, nonce, issuer, key } = issue;
  const now = seconds(clock.now());
  const { run_time } = client;
  return new SignJWT({
    ...(run_time === undefined ? {} : claimsFrom(run_time.id_token_template, { user })),
    ...claimsOf(user, scopes),
    ...authTime(family),
    ...(family.factors === null ? {} : assured(family.factors)),
    ...(family.session_id === null ? {} : { sid: family.session_id }),
    ...(nonce === null ? {} : { nonce }),
    azp: family.client_id,
    at_hash: leftHalfHash(accessToken),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: ID_TYPE, kid: key.kid })
    .setIssuer(issuer)
    .setSubject(user.user_id)
    .setAudience(family.client_id)
    .setIssuedAt(now)
    .setExpirationTime(now + (ACCESS_TOKEN_MINUTES * MINUTE_MS) / 1000)
    .sign(key.privateKey);
}

function authTime({ auth_time }: TokenFamily): { readonly auth_time?: number } {
  return auth_time === null ? {} : { auth_time: seconds(auth_time.getTime()) };
}

/** How the user logged in (OpenID Connect Core, section 2). Only included if the project has a policy for the second factor. */
function assured(authentication_factors: NonNullable<TokenFamily['factors']>) {
  const session = { authentication_factors };
  return { amr: methodsOf(session), acr: contextOf(session) };
}

/** OpenID Connect Core, section 3.1.3.6: binds an ID token to the access token that came with it. */
function leftHalfHash(token: string): string {
  return createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url');
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
