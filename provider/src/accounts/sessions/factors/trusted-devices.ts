import { sql } from 'kysely';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { Db } from '#provider/base/db/database.ts';
import { newId, newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import type { SessionRow } from '../tables.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** The most browsers that a user can trust. A new one replaces the least recently used one. */
const MOST_DEVICES = 20;

/** The user's trusted browser with this token, marked as used now; undefined if there is none. */
export async function touchTrustedDevice(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  userId: string,
  token: string,
): Promise<string | undefined> {
  const now = new Date(clock.now());
  const used = await tx
    .updateTable('trusted_devices')
    .set({ last_used_at: now })
    .where('token_hash', '=', tokenHash(token))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .returning('device_id')
    .executeTakeFirst();
  return used?.device_id;
}

/** Whether the user trusts this browser now. */
export async function isTrustedDevice(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  userId: string,
  deviceId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('trusted_devices')
    .select('device_id')
    .where('device_id', '=', deviceId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  return found !== undefined;
}

/** Trusts the browser of the caller. */
export async function trustDevice(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  user_id: string,
  days: number,
  { address, userAgent }: { readonly address: string; readonly userAgent: string },
): Promise<{ readonly device_id: string; readonly token: string }> {
  const device_id = newId(random, 'trusted-device');
  const token = newToken(random);
  const now = new Date(clock.now());
  await tx
    .insertInto('trusted_devices')
    .values({
      device_id,
      user_id,
      token_hash: tokenHash(token),
      user_agent: userAgent,
      ip_address: address,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + days * DAY_MS),
    })
    .execute();
  await tx
    .deleteFrom('trusted_devices')
    .where('device_id', 'in', (query) =>
      query
        .selectFrom('trusted_devices')
        .select('device_id')
        .where('user_id', '=', user_id)
        .orderBy('last_used_at', 'desc')
        .offset(MOST_DEVICES),
    )
    .execute();
  return { device_id, token };
}

/** The browsers that the user trusts, most recently used first. */
export async function trustedDevicesOf({ db, clock }: Pick<Services, 'db' | 'clock'>, userId: string) {
  const rows = await db
    .selectFrom('trusted_devices')
    .select(['device_id', 'created_at', 'last_used_at', 'user_agent', 'ip_address'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(clock.now()))
    .orderBy('last_used_at', 'desc')
    .orderBy('device_id')
    .execute();
  return rows.map(({ created_at, last_used_at, ...fields }) => ({
    ...fields,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }));
}

/** Ends the trust in the browsers of a locked user, and pending logins and additions, after a change that no trigger sees. */
export async function endTrust(tx: Db, userId: string): Promise<void> {
  await sql`select end_pending(array[${userId}], '{}')`.execute(tx);
  await tx.deleteFrom('trusted_devices').where('user_id', '=', userId).execute();
}

/**
 * When one session ends another, ends the trust in the other's browser, because another person may use it. This applies even if both seem
 * to be in one browser: one of them may have a copy of its token.
 */
export async function forgetBrowserOf(
  tx: Db,
  { user_id, trusted_device_id }: Pick<SessionRow, 'user_id' | 'trusted_device_id'>,
): Promise<void> {
  if (trusted_device_id === null) return;
  await forgetTrustedDevice(tx, user_id, trusted_device_id);
}

/** Ends the trust in one of the user's browsers. False if there is no such browser. */
export async function forgetTrustedDevice(tx: Db, userId: string, deviceId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('trusted_devices')
    .where('device_id', '=', deviceId)
    .where('user_id', '=', userId)
    .returning('device_id')
    .executeTakeFirst();
  return row !== undefined;
}
