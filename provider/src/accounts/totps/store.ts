import type { Selectable } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { TotpsTable } from './tables.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { recordNotice } from '#provider/base/notices/record.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { newRecoveryCodes, newTotpSecret } from './code.ts';
import { codeRow, showsCodesAgain } from './stored-codes.ts';
import type { RecoveryCodeSummary } from '#domain/sessions/mfa.ts';
import type { Services } from '../services.ts';
import { endTrust } from '../sessions/factors/trusted-devices.ts';
import type { LockedUser } from '../users/lock.ts';

export interface NewTotp {
  readonly totp_id: string;
  readonly secret: string;
  readonly recovery_codes: string[];
}

/** Adds an authenticator app, replacing one that was never verified. Undefined if there is a verified one. */
export async function createTotp(
  { clock, random, keys, project }: Pick<Services, 'clock' | 'random' | 'keys' | 'project'>,
  tx: Db,
  { user_id, minutes, added_in = null }: Pick<Totp, 'user_id'> & { minutes: number; added_in?: string | null },
): Promise<NewTotp | undefined> {
  const totp_id = newId(random, 'totp');
  const secret = newTotpSecret(random);
  await tx.deleteFrom('totps').where('user_id', '=', user_id).where('verified', '=', false).execute();
  const row = await tx
    .insertInto('totps')
    .values({
      totp_id,
      user_id,
      secret: seal(random, keys.codeKey, totp_id, secret),
      verified: false,
      last_step: null,
      expires_at: new Date(clock.now() + minutes * MINUTE_MS),
      created_at: new Date(clock.now()),
      added_in,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('totp_id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { totp_id, secret, recovery_codes: await addRecoveryCodes({ random, keys, project }, tx, totp_id) };
}

/** Makes the recovery codes of an app. */
async function addRecoveryCodes(
  services: Pick<Services, 'random' | 'keys' | 'project'>,
  tx: Db,
  totp_id: string,
): Promise<string[]> {
  const codes = newRecoveryCodes(services.random);
  const rows = codes.map((code, place) => codeRow(services, { totp_id, code, place }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return [...codes];
}

/** The number of recovery codes that a user has left; null without a verified app. */
export async function recoveryCodeSummary(
  { db, project }: Pick<Services, 'db' | 'project'>,
  userId: string,
): Promise<RecoveryCodeSummary | null> {
  const row = await db
    .selectFrom('totps')
    .leftJoin('recovery_codes', 'recovery_codes.totp_id', 'totps.totp_id')
    .select(({ fn }) => fn.count('recovery_codes.place').as('left'))
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .groupBy('totps.totp_id')
    .executeTakeFirst();
  return row === undefined ? null : { left: Number(row.left), can_be_shown: showsCodesAgain(project) };
}

/**
 * Makes new recovery codes for the verified app of a locked user, and notifies the user if the project has this notice on. The old codes
 * end. As with every change of a factor, so do the trust in browsers and the logins that lack a factor.
 */
export async function renewRecoveryCodes(
  services: Pick<Services, 'random' | 'keys' | 'project'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<string[]> {
  const totp = await tx
    .selectFrom('totps')
    .select('totp_id')
    .where('user_id', '=', user_id)
    .where('verified', '=', true)
    .executeTakeFirst();
  if (totp === undefined) throw new Refusal('totp_not_found');
  await tx.deleteFrom('recovery_codes').where('totp_id', '=', totp.totp_id).execute();
  await tx.updateTable('totps').set({ imported_codes: false }).where('totp_id', '=', totp.totp_id).execute();
  await endTrust(tx, user_id);
  await recordNotice(tx, { user_id, event: 'recovery_codes.renewed', final: false });
  return addRecoveryCodes(services, tx, totp.totp_id);
}

export type Totp = Selectable<TotpsTable>;

/** The user's authenticator app: verified, or not yet expired. */
export async function findTotp(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
): Promise<Totp | undefined> {
  const now = new Date(clock.now());
  return db
    .selectFrom('totps')
    .selectAll()
    .where('user_id', '=', userId)
    .where((where) => where.or([where('verified', '=', true), where('expires_at', '>', now)]))
    .executeTakeFirst();
}

export function secretOf({ keys }: Pick<Services, 'keys'>, totp: Totp): string {
  return unseal(keys.codeKey, totp.totp_id, totp.secret);
}

/** False if the app was removed, or its enrolment ended, while waiting for the user's lock. */
export async function isThere(tx: Db, { totp_id }: Totp): Promise<boolean> {
  const row = await tx.selectFrom('totps').select('totp_id').where('totp_id', '=', totp_id).executeTakeFirst();
  return row !== undefined;
}

/** Spends the time step of a code, and marks the app as verified. False if this step or a later one was already used. */
export async function redeemStep(tx: Db, { totp_id }: Totp, step: number): Promise<boolean> {
  const row = await tx
    .updateTable('totps')
    .set({ last_step: step, verified: true })
    .where('totp_id', '=', totp_id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .returning('totp_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The unused recovery codes, in the order of their creation. */
async function recoveryCodesOf({ db, keys }: Pick<Services, 'db' | 'keys'>, { totp_id }: Totp): Promise<string[]> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('sealed')
    .where('totp_id', '=', totp_id)
    .orderBy('place')
    .execute();
  // Codes from a time when the project showed them once cannot be shown.
  return rows.flatMap(({ sealed }) => (sealed === '' ? [] : [unseal(keys.codeKey, totp_id, sealed)]));
}

/**
 * The user's authenticator app with its unused recovery codes. They are stored encrypted in addition to their hashes, because the API shows
 * them again. If the project has settings for the second factor, it shows them once, unless it is configured otherwise.
 */
export async function shownRecoveryCodes(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  userId: string,
) {
  if (!showsCodesAgain(services.project)) throw new Refusal('recovery_codes_shown_once');
  const totp = await findTotp(services, userId);
  if (totp === undefined) return [];
  const { totp_id, verified } = totp;
  return [{ totp_id, verified, recovery_codes: await recoveryCodesOf(services, totp) }];
}

/** Spends a recovery code. True for one caller only. */
export async function redeemRecoveryCode(
  tx: Db,
  { totp_id, user_id }: Pick<Totp, 'totp_id' | 'user_id'>,
  code_hash: string,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('totp_id', '=', totp_id)
    .where('code_hash', '=', code_hash)
    .returning('totp_id')
    .executeTakeFirst();
  if (row !== undefined) await recordNotice(tx, { user_id, event: 'recovery_code.used', final: false });
  return row !== undefined;
}
