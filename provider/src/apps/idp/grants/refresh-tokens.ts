import { createHmac } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { OAuthRefreshTokensTable } from '../tables.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { TokenFamily } from './grants.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** A token expires if it is not used for this long. */
const IDLE_MS = 30 * DAY_MS;
/** All tokens of an authorization end after this time, even if they are used (ASVS 10.4.8). */
export const FAMILY_MS = 180 * DAY_MS;

/** The grace period: how long a used token still gets its answer. For two tabs that refresh simultaneously, and for a lost answer. */
const GRACE_MS = 30_000;

/**
 * The successor of this token. Only the server's key can derive it. So every answer within the grace period is the same, although the
 * database has no token in clear text.
 */
function successorOf({ keys }: Pick<Services, 'keys'>, token: string): string {
  return createHmac('sha256', keys.codeKey).update(`refresh token\n${token}`).digest('base64url');
}

/** @param replaced the token that was presented; absent for the first one of the family */
export async function issueRefreshToken(
  services: Pick<Services, 'keys' | 'random' | 'clock'>,
  tx: Db,
  family: TokenFamily,
  replaced?: string,
): Promise<string> {
  const token = replaced === undefined ? newToken(services.random) : successorOf(services, replaced);
  const now = services.clock.now();
  await tx
    .insertInto('oauth_refresh_tokens')
    .values({
      token_hash: tokenHash(token),
      family_id: family.family_id,
      used: false,
      created_at: new Date(now),
      expires_at: new Date(Math.min(now + IDLE_MS, family.created_at.getTime() + FAMILY_MS)),
    })
    // Within the grace period it exists already.
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
  return token;
}

export type StoredRefreshToken = Selectable<OAuthRefreshTokensTable>;

export interface FoundRefreshToken {
  readonly token: StoredRefreshToken;
  readonly family: TokenFamily;
}

/** Finds the token, even a used or expired one; the caller checks that. Does not use it up. */
export async function findRefreshToken(db: Db, token: string): Promise<FoundRefreshToken | undefined> {
  const found = await db
    .selectFrom('oauth_refresh_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const family = await db
    .selectFrom('oauth_token_families')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'oauth_token_families.grant_id')
    .selectAll('oauth_token_families')
    .select(['oauth_grants.user_id', 'oauth_grants.client_id'])
    .where('family_id', '=', found.family_id)
    .executeTakeFirst();
  return family === undefined ? undefined : { token: found, family };
}

/** True for a used token whose grace period is over. */
export function isReused({ clock }: Pick<Services, 'clock'>, { used, used_at }: StoredRefreshToken): boolean {
  return used && (used_at === null || clock.now() - used_at.getTime() >= GRACE_MS);
}

/**
 * Uses the token up. Within the grace period it can be used again, until its successor is used. False if the family has ended, or the token
 * is two generations old.
 */
export async function useRefreshToken(
  services: Pick<Services, 'clock' | 'keys'>,
  tx: Db,
  { token_hash, family_id }: Pick<StoredRefreshToken, 'token_hash' | 'family_id'>,
  token: string,
): Promise<boolean> {
  const now = services.clock.now();
  // Locks the family first, like a revocation, so that no new token is made for a family that is being revoked.
  const family = await tx
    .selectFrom('oauth_token_families')
    .select('family_id')
    .where('family_id', '=', family_id)
    .forUpdate()
    .executeTakeFirst();
  if (family === undefined) return false;
  const used = await tx
    .updateTable('oauth_refresh_tokens')
    .set({ used: true, used_at: new Date(now) })
    .where('token_hash', '=', token_hash)
    .where('used', '=', false)
    .where('expires_at', '>', new Date(now))
    .returning('family_id')
    .executeTakeFirst();
  if (used !== undefined) return true;
  const successor = await tx
    .selectFrom('oauth_refresh_tokens')
    .select('used')
    .where('token_hash', '=', tokenHash(successorOf(services, token)))
    .executeTakeFirst();
  return successor?.used === false;
}
