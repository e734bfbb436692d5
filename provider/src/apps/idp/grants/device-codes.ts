import { createHmac } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { readUserCode, USER_CODE_ALPHABET, USER_CODE_LENGTH } from '#domain/consent/user-code.ts';
import { DEVICE_CODE_MINUTES } from '#domain/rules/lifetimes.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Random } from '#provider/base/platform.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { DeviceAuthorizationsTable } from '../tables.ts';

/** RFC 8628, section 3.4. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const DEVICE_CODE_SECONDS = DEVICE_CODE_MINUTES * 60;
export const POLL_SECONDS = 5;
/** RFC 8628, section 3.5. */
const SLOW_DOWN_SECONDS = 5;

export type DeviceAuthorization = Selectable<DeviceAuthorizationsTable>;

/** Where a device sends its request from. */
export interface DeviceOrigin {
  /** Its network address; empty if unknown. */
  readonly address: string;
  /** Its user agent. */
  readonly userAgent: string;
}

/** Bytes from here on are skipped, because the remainder would make some letters more likely than others. */
const UNBIASED = Math.floor(256 / USER_CODE_ALPHABET.length) * USER_CODE_ALPHABET.length;

/** Each of the 20^8 codes is equally likely. */
function newUserCode(random: Random): string {
  let code = '';
  while (code.length < USER_CODE_LENGTH) {
    const [byte = UNBIASED] = random.bytes(1);
    if (byte < UNBIASED) code += USER_CODE_ALPHABET[byte % USER_CODE_ALPHABET.length] ?? '';
  }
  return code;
}

function userCodeHash({ keys }: Pick<Services, 'keys'>, userCode: string): string {
  return createHmac('sha256', keys.codeKey)
    .update(`device user code\n${readUserCode(userCode)}`)
    .digest('base64url');
}

type NewDevice = Pick<DeviceAuthorization, 'client_id' | 'scopes' | 'audiences' | 'dpop_jkt'> & DeviceOrigin;

/** Makes both codes. Waiting devices never have the same code. */
export async function issueDeviceCode(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  { address, userAgent, scopes, audiences, ...device }: NewDevice,
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const deviceCode = newToken(services.random);
  const device_hash = tokenHash(deviceCode);
  const origin = JSON.stringify({ address, userAgent });
  const row = {
    ...device,
    device_hash,
    scopes: JSON.stringify(scopes),
    audiences: JSON.stringify(audiences),
    sealed_origin: seal(services.random, services.keys.codeKey, device_hash, origin),
    interval_seconds: POLL_SECONDS,
    expires_at: new Date(services.clock.now() + DEVICE_CODE_SECONDS * 1000),
  };
  for (;;) {
    const userCode = newUserCode(services.random);
    // oxlint-disable-next-line no-await-in-loop -- almost always once
    const authorization = await services.db
      .insertInto('device_authorizations')
      .values({ ...row, user_code_hash: userCodeHash(services, userCode) })
      .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
      .returning('device_hash')
      .executeTakeFirst();
    if (authorization !== undefined) return { deviceCode, userCode };
  }
}

export function originOf(
  { keys }: Pick<Services, 'keys'>,
  { device_hash, sealed_origin }: Pick<DeviceAuthorization, 'device_hash' | 'sealed_origin'>,
): DeviceOrigin {
  return JSON.parse(unseal(keys.codeKey, device_hash, sealed_origin)) as DeviceOrigin;
}

/** The device that shows this code and is still waiting for a decision. */
export async function findWaiting(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  userCode: string,
): Promise<DeviceAuthorization | undefined> {
  return services.db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash(services, userCode))
    .where('expires_at', '>', new Date(services.clock.now()))
    .where('code_hash', 'is', null)
    .where('denied', '=', false)
    .executeTakeFirst();
}

/** Writes the decision. False if there already is one, or the device's time is over. */
export async function decide(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { device_hash }: Pick<DeviceAuthorization, 'device_hash'>,
  decision: { readonly denied: true } | { readonly code_hash: string },
): Promise<boolean> {
  const decided = await db
    .updateTable('device_authorizations')
    .set(decision)
    .where('device_hash', '=', device_hash)
    .where('expires_at', '>', new Date(clock.now()))
    .where('code_hash', 'is', null)
    .where('denied', '=', false)
    .returning('device_hash')
    .executeTakeFirst();
  return decided !== undefined;
}

export async function findDevice(db: Db, deviceCode: string): Promise<DeviceAuthorization | undefined> {
  return db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('device_hash', '=', tokenHash(deviceCode))
    .executeTakeFirst();
}

/**
 * Counts a poll. True if it came too soon after the last one, which makes the interval longer. Of simultaneous polls, all but one are too
 * soon.
 */
export async function pollsTooSoon(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { device_hash }: Pick<DeviceAuthorization, 'device_hash'>,
): Promise<boolean> {
  const now = new Date(clock.now());
  const { rows } = await sql<{ readonly soon: boolean }>`
    with before as (
      select coalesce(polled_at + make_interval(secs => interval_seconds) > ${now}::timestamptz, false) as soon
      from device_authorizations where device_hash = ${device_hash} for update)
    update device_authorizations
    set polled_at = ${now}::timestamptz,
      interval_seconds = interval_seconds + case when before.soon then ${SLOW_DOWN_SECONDS}::integer else 0 end
    from before where device_hash = ${device_hash}
    returning before.soon`.execute(db);
  return rows[0]?.soon === true;
}
