import type { Db } from '../db/tables.ts';
import { KNOWN_NETWORK_MS } from './known-networks.ts';
import { dropExpired } from './parts/passkeys-wallets-social.ts';
import { MINUTE_MS, type Clock } from '../platform.ts';

export const SWEEP_EVERY_MS = 10 * MINUTE_MS;
/** The outbox is for looking at, not an archive. */
const KEPT_MESSAGES = 1000;

/** Removes what can never be used again. Nothing depends on it being run. */
export async function sweep(db: Db, clock: Clock): Promise<void> {
  const now = new Date(clock.now());
  await db.deleteFrom('passcodes').where('expires_at', '<', now).execute();
  await db.deleteFrom('magic_links').where('expires_at', '<', now).execute();
  await db.deleteFrom('totps').where('verified', '=', false).where('expires_at', '<', now).execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await db.deleteFrom('limit_windows').where('expires_at', '<', now).execute();
  await dropExpired(db, now);
  const forgotten = new Date(now.getTime() - KNOWN_NETWORK_MS);
  await db.deleteFrom('known_networks').where('last_login_at', '<', forgotten).execute();
  await db
    .deleteFrom('outbox')
    .where('seq', '<=', (where) =>
      where.selectFrom('outbox').select('seq').orderBy('seq', 'desc').limit(1).offset(KEPT_MESSAGES),
    )
    .execute();
}
