import type { Selectable } from 'kysely';
import type { OAuthRefreshTokensTable } from './tables.ts';
import type { Db } from '../../base/db/database.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { newToken, tokenHash } from '../../base/security/secrets.ts';
import type { Services } from '../../accounts/services.ts';
import type { TokenFamily } from './grants.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** A token that is not used for this long expires. */
const IDLE_MS = 30 * DAY_MS;
/** All tokens of an authorization end after this time, even if they are used (ASVS 10.4.8). */
export const FAMILY_MS = 180 * DAY_MS;

/** A new refresh token of the family. */
export async function issueRefreshToken(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  family: TokenFamily,
): Promise<string> {
  const token = newToken(random);
  const now = clock.now();
  await tx
    .insertInto('oauth_refresh_tokens')
    .values({
      token_hash: tokenHash(token),
      family_id: family.family_id,
      used: false,
      created_at: new Date(now),
      expires_at: new Date(Math.min(now + IDLE_MS, family.created_at.getTime() + FAMILY_MS)),
    })
    .execute();
  return token;
}

export interface FoundRefreshToken {
  readonly token: Selectable<OAuthRefreshTokensTable>;
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

/** Uses the token up. True for one caller only, and only while the family is live. */
export async function useRefreshToken(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  { token_hash, family_id }: Pick<OAuthRefreshTokensTable, 'token_hash' | 'family_id'>,
): Promise<boolean> {
  // Locks the family first, as a revocation does: a family that is being revoked must get no new token.
  const held = await tx
    .selectFrom('oauth_token_families')
    .select('family_id')
    .where('family_id', '=', family_id)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) return false;
  const used = await tx
    .updateTable('oauth_refresh_tokens')
    .set({ used: true })
    .where('token_hash', '=', token_hash)
    .where('used', '=', false)
    .where('expires_at', '>', new Date(clock.now()))
    .returning('family_id')
    .executeTakeFirst();
  return used !== undefined;
}
