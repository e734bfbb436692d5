import { ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { isTaken } from '../../../../src/domain/rules/accounts.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { ChangedMeanwhile } from '../../base/db/transaction.ts';
import type { PhoneNumbersTable, UsersTable } from './tables.ts';
import type { Project } from '../../project/project.ts';
import { newId } from '../../base/security/secrets.ts';
import type { Services } from '../services.ts';
import { lockUser, type HeldUser, type LockedUser } from './lock.ts';
import { endEverythingBut } from './belongings.ts';
import { release } from './release.ts';
import { requireRoom } from './room.ts';
import { activate, forgetWords, newUser, removeUser, type AddedContact, type Attachment } from './store.ts';

export interface KnownPhone extends PhoneNumbersTable {
  readonly status: UsersTable['status'];
  readonly managed: boolean;
}

/** A number that was looked up or made. */
export interface FoundPhone extends KnownPhone {
  /** Whether its user was made for it. */
  readonly created: boolean;
}

/** Premium-rate numbers, whose owner is paid for texts and calls. */
const COSTLY: ReadonlySet<string> = new Set(['PREMIUM_RATE', 'SHARED_COST']);
const E164 = /^\+[1-9][0-9]{1,14}$/u;

/**
 * Refuses text that is not a number in E.164, and numbers in countries to which the project sends no texts.
 *
 * @returns the number's country (ISO 3166), or its calling code, such as `+883`, where that is of no country
 */
export function checkPhoneNumber(project: Project, text: string): string {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
  const phone = parsed(text);
  const costly = COSTLY.has(phone.getType() ?? '');
  if (phone.number !== text || !phone.isValid() || costly) throw new Refusal('invalid_phone_number');
  const { sms_countries: countries } = project;
  if (countries !== null && (phone.country === undefined || !countries.includes(phone.country))) {
    throw new Refusal('invalid_phone_number_country_code');
  }
  return phone.country ?? `+${phone.countryCallingCode}`;
}

function parsed(text: string) {
  try {
    return parsePhoneNumberWithError(text);
  } catch (error) {
    const unknown = error instanceof ParseError && error.message === 'INVALID_COUNTRY';
    throw new Refusal(unknown ? 'invalid_phone_number_country_code' : 'invalid_phone_number');
  }
}

export async function findPhone(db: Db, phoneNumber: string): Promise<KnownPhone | undefined> {
  return db
    .selectFrom('phone_numbers')
    .innerJoin('users', 'users.user_id', 'phone_numbers.user_id')
    .selectAll('phone_numbers')
    .select(['users.status', 'users.managed'])
    .where('phone_numbers.phone_number', '=', phoneNumber)
    .executeTakeFirst();
}

/** The number and its user; both are created if nobody has the number. Of simultaneous calls only one creates them. */
export async function findOrCreatePhone(
  services: Services,
  tx: Db,
  phoneNumber: string,
  status: UsersTable['status'] = 'pending',
): Promise<FoundPhone> {
  const known = await findPhone(tx, phoneNumber);
  if (known !== undefined) return { ...known, created: false };
  const { user_id } = await newUser(services, tx, status);
  const phone_id = newId(services.random, 'phone-number');
  const made = await addPhone(services, tx, { phone_id, user_id, phone_number: phoneNumber, verified: false });
  if (made !== undefined) return { ...made, status, managed: false, created: true };
  await removeUser(tx, user_id);
  const winner = await findPhone(tx, phoneNumber);
  if (winner === undefined) throw new ChangedMeanwhile();
  return { ...winner, created: false };
}

/** Undefined if a user has the number already. */
export async function addPhone(
  services: Services,
  tx: Db,
  phone: Omit<PhoneNumbersTable, 'created_at' | 'added_in'> & { readonly added_in?: string | null },
): Promise<PhoneNumbersTable | undefined> {
  return tx
    .insertInto('phone_numbers')
    .values({ ...phone, created_at: new Date(services.clock.now()) })
    .onConflict((conflict) => conflict.column('phone_number').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Adds a verified number to a user, like `attachEmail` for an address. */
export async function attachPhone(
  services: Services,
  tx: Db,
  { user, session }: HeldUser,
  { id, address }: AddedContact,
): Promise<Attachment<PhoneNumbersTable>> {
  const { user_id } = user;
  const known = await findPhone(tx, address);
  if (known !== undefined && known.user_id !== user_id) {
    await freePhone(tx, known);
  }
  if (known?.user_id === user_id) {
    const { phone } = await confirmPhone(tx, { phone: known, user });
    return { added: phone, first: !known.verified };
  }
  await requireRoom(tx, 'phone_numbers', user_id);
  const added_in = session?.session_id ?? null;
  const made = await addPhone(services, tx, { phone_id: id, user_id, phone_number: address, verified: true, added_in });
  if (made === undefined) throw new ChangedMeanwhile();
  return { added: made, first: false };
}

/** Like `freeEmail`, for a number. */
export async function freePhone(tx: Db, known: KnownPhone): Promise<void> {
  if (isTaken(known)) throw new Refusal('duplicate_phone_number');
  await release(tx, { user_id: known.user_id, kind: 'phone', id: known.phone_id });
}

async function verify(tx: Db, phoneId: string): Promise<PhoneNumbersTable | undefined> {
  return tx
    .updateTable('phone_numbers')
    .set({ verified: true })
    .where('phone_id', '=', phoneId)
    .returningAll()
    .executeTakeFirst();
}

/** A number whose owner entered a code from it, and its user, locked. */
export interface ProvenPhone {
  readonly phone: PhoneNumbersTable;
  readonly user: LockedUser;
}

/** Locks the number's user and reads the number. Undefined if it was removed or moved to another user meanwhile. */
export async function lockPhone(tx: Db, phoneId: string): Promise<ProvenPhone | undefined> {
  const find = () => tx.selectFrom('phone_numbers').selectAll().where('phone_id', '=', phoneId).executeTakeFirst();
  const before = await find();
  const user = before === undefined ? undefined : await lockUser(tx, before.user_id);
  if (user === undefined) return undefined;
  const phone = await find();
  return phone?.user_id === user.user_id ? { phone, user } : undefined;
}

/** Like `confirmEmail`, for a number. No session is spared: nobody signs up with a number that they have not verified. */
export async function confirmPhone(tx: Db, { phone, user }: ProvenPhone): Promise<ProvenPhone> {
  if (phone.verified) return { phone, user };
  const verified = await verify(tx, phone.phone_id);
  await activate(tx, user.user_id);
  await endEverythingBut(tx, user, { phone_id: phone.phone_id });
  await forgetWords(tx, user);
  return { phone: verified ?? phone, user };
}
