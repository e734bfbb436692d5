import { MINUTE_MS } from '../platform.ts';
import { sweepSigningKeys } from '../security/signing-keys.ts';
import type { Services } from '../services.ts';
import { FAMILY_MS } from './refresh-tokens.ts';

/** Spent codes are kept for so long, to notice that one is used again. */
const KEPT_CODE_MS = 60 * MINUTE_MS;

/** Removes what can never be used again. A used refresh token stays as long as its family, to notice a thief. */
export async function sweepAccess({ db, clock, keys }: Pick<Services, 'db' | 'clock' | 'keys'>): Promise<void> {
  const now = clock.now();
  await db.deleteFrom('impersonation_tokens').where('expires_at', '<', new Date(now)).execute();
  await db.deleteFrom('used_trusted_tokens').where('expires_at', '<', new Date(now)).execute();
  await db.deleteFrom('oauth_access_tokens').where('expires_at', '<', new Date(now)).execute();
  await db
    .deleteFrom('authorization_codes')
    .where('expires_at', '<', new Date(now - KEPT_CODE_MS))
    .execute();
  await db
    .deleteFrom('oauth_token_families')
    .where('created_at', '<', new Date(now - FAMILY_MS))
    .execute();
  await sweepSigningKeys({ db, clock, keys });
}
