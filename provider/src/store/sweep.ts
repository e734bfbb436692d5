import type { Db } from '../db/tables.ts';
import { dropExpired } from './parts/passkeys-wallets-social.ts';
import { MINUTE_MS, type Clock } from '../platform.ts';

export const SWEEP_EVERY_MS = 10 * MINUTE_MS;

/** Removes what can never be used again. Nothing depends on it being run. */
export async function sweep(db: Db, clock: Clock): Promise<void> {
  const now = new Date(clock.now());
  await db.deleteFrom('passcodes').where('expires_at', '<', now).execute();
  await db.deleteFrom('magic_links').where('expires_at', '<', now).execute();
  await db.deleteFrom('totps').where('verified', '=', false).where('expires_at', '<', now).execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await db.deleteFrom('limit_windows').where('expires_at', '<', now).execute();
  await dropExpired(db, now);
}
