import { emailKey, isTaken, wholeName } from '../../../domain/rules/accounts.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import { rolesOf } from '../../../domain/rules/roles.ts';
import type { User, UserEmail, UserPhoneNumber } from '../../../domain/user.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';

/** The owner of an address or number; `user` is a copy from the time of the search. */
interface Owned {
  readonly user: User;
  readonly user_id: string;
  readonly status: string;
}

export interface KnownEmail extends UserEmail, Owned {}

export interface KnownPhone extends UserPhoneNumber, Owned {}

/** A verified address or number, and the id that it gets when the user does not have it yet. */
interface Added {
  readonly user_id: string;
  readonly id: string;
  readonly address: string;
}

const E164 = /^\+[1-9]\d{6,14}$/u;

export function checkPhoneNumber(text: string): void {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
}

/** The user in the wire's form, including the roles that are assigned to its verified addresses. */
export function readUser(state: ServerState, userId: string): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const assignments = state.settings.roleAssignments.map((each) => ({ user_id: null, ...each }));
  return { ...user, roles: [...new Set([...user.roles, ...rolesOf(assignments, user)])] };
}

export function change(state: ServerState, userId: string, changes: Partial<User>): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  state.users.set(userId, { ...user, ...changes });
  return readUser(state, userId);
}

/** Creates a user without any factor. The caller must add one at once. */
export function newUser(state: ServerState, status: 'active' | 'pending', changes: Partial<User> = {}): User {
  const user: User = {
    user_id: state.id('user'),
    created_at: state.stamp(),
    status,
    roles: [],
    name: wholeName({}),
    trusted_metadata: {},
    untrusted_metadata: {},
    emails: [],
    phone_numbers: [],
    providers: [],
    webauthn_registrations: [],
    biometric_registrations: [],
    totps: [],
    crypto_wallets: [],
    password: null,
    ...changes,
  };
  state.users.set(user.user_id, user);
  return user;
}

export function findEmail(state: ServerState, email: string): KnownEmail | undefined {
  return emailsOf(state).find((known) => emailKey(known.email) === emailKey(email));
}

export function findPhone(state: ServerState, phoneNumber: string): KnownPhone | undefined {
  return phonesOf(state).find((known) => known.phone_number === phoneNumber);
}

export function findOrCreateEmail(state: ServerState, email: string, status: 'active' | 'pending'): KnownEmail {
  const made = (): KnownEmail => {
    const added = { email_id: state.id('email'), email: email.normalize('NFC'), verified: false };
    return { ...added, ...owned(newUser(state, status, { emails: [added] })) };
  };
  return findEmail(state, email) ?? made();
}

export function findOrCreatePhone(state: ServerState, phone_number: string): KnownPhone {
  const made = (): KnownPhone => {
    const added = { phone_id: state.id('phone-number'), phone_number, verified: false };
    return { ...added, ...owned(newUser(state, 'pending', { phone_numbers: [added] })) };
  };
  return findPhone(state, phone_number) ?? made();
}

/**
 * Marks the address as verified, because the caller has read its mail. The first verification removes all other access to the
 * account, which a stranger may have registered in advance, unless the caller presents a live session of the user (`own`).
 * Undefined when the address no longer exists.
 */
export function confirmEmail(
  state: ServerState,
  emailId: string,
  own: (user: { readonly user_id: string }) => LiveSession | undefined = () => undefined,
): KnownEmail | undefined {
  const known = emailsOf(state).find(({ email_id }) => email_id === emailId);
  if (known === undefined || known.verified) return known;
  const { user_id } = known;
  const verified = known.user.emails.map((each) => (each.email_id === emailId ? { ...each, verified: true } : each));
  change(state, user_id, { status: 'active', emails: verified });
  if (own({ user_id }) === undefined) {
    endEverythingBut(state, user_id, { email_id: emailId });
    change(state, user_id, { name: wholeName({}), untrusted_metadata: {} });
  }
  return { ...known, verified: true, status: 'active' };
}

/** Like `confirmEmail`, for a telephone number. */
export function confirmPhone(state: ServerState, phoneId: string): KnownPhone | undefined {
  const known = phonesOf(state).find(({ phone_id }) => phone_id === phoneId);
  if (known === undefined || known.verified) return known;
  const { user_id, phone_numbers } = known.user;
  const verified = phone_numbers.map((each) => (each.phone_id === phoneId ? { ...each, verified: true } : each));
  change(state, user_id, { status: 'active', phone_numbers: verified });
  endEverythingBut(state, user_id, { phone_id: phoneId });
  change(state, user_id, { name: wholeName({}), untrusted_metadata: {} });
  return { ...known, verified: true, status: 'active' };
}

/** Adds a verified address to a user; refuses another user's address. */
export function attachEmail(state: ServerState, { user_id, id, address }: Added): UserEmail {
  const known = findEmail(state, address);
  if (known !== undefined && known.user_id !== user_id) {
    if (isTaken(known)) throw new Refusal('duplicate_email');
    state.users.delete(known.user_id);
  }
  const { emails } = readUser(state, user_id);
  const mine = emails.find((each) => each.email_id === known?.email_id);
  const email = { ...(mine ?? { email_id: id, email: address }), verified: true };
  change(state, user_id, {
    emails: mine === undefined ? [...emails, email] : emails.map((each) => (each === mine ? email : each)),
  });
  return email;
}

/** Like `attachEmail`, for a telephone number. */
export function attachPhone(state: ServerState, { user_id, id, address }: Added): UserPhoneNumber {
  const known = findPhone(state, address);
  if (known !== undefined && known.user_id !== user_id) {
    if (isTaken(known)) throw new Refusal('duplicate_phone_number');
    state.users.delete(known.user_id);
  }
  const { phone_numbers } = readUser(state, user_id);
  const mine = phone_numbers.find((each) => each.phone_id === known?.phone_id);
  const phone = { ...(mine ?? { phone_id: id, phone_number: address }), verified: true };
  change(state, user_id, {
    phone_numbers:
      mine === undefined ? [...phone_numbers, phone] : phone_numbers.map((each) => (each === mine ? phone : each)),
  });
  return phone;
}

/** Removes the user's rows: all, or those for which `goes` is true. */
export function removeRows<Row extends { readonly user_id: string | null }>(
  table: Map<string, Row>,
  userId: string,
  goes: (row: Row) => boolean = () => true,
): void {
  for (const [key, row] of table) if (row.user_id === userId && goes(row)) table.delete(key);
}

/**
 * Ends all access to the user's account, except one session: sessions, tokens, consents and unfinished flows.
 *
 * @param messages which sent links and codes end: all, or only those that add an address or number
 */
function endAccess(state: ServerState, userId: string, keptId: string | null, messages: 'all' | 'additions'): void {
  removeRows(state.returns, userId);
  removeRows(state.impersonations, userId);
  removeRows(state.ceremonies, userId);
  removeRows(state.walletChallenges, userId);
  removeRows(state.consents, userId);
  removeRows(state.authorizationCodes, userId);
  removeRows(state.accessTokens, userId);
  removeRows(state.sessions, userId, ({ session_id }) => session_id !== keptId);
  removeRows(state.links, userId, ({ adds }) => messages === 'all' || adds !== null);
  removeRows(state.codes, userId, ({ adds }) => messages === 'all' || adds !== null);
}

/**
 * Ends all access after a new password. While the user has an unverified address, links and codes that were sent for a login stay
 * valid, so that the address's owner can still use them.
 */
export function endAccessForPassword(state: ServerState, userId: string, keptId: string | null): void {
  const proven = readUser(state, userId).emails.every(({ verified }) => verified);
  endAccess(state, userId, keptId, proven ? 'all' : 'additions');
}

/** Removes all earlier access and factors, after the first verification of the address or number. */
export function endEverythingBut(
  state: ServerState,
  userId: string,
  kept: { readonly email_id?: string; readonly phone_id?: string },
  keptId: string | null = null,
): void {
  endAccess(state, userId, keptId, 'all');
  state.totps.delete(userId);
  removeRows(state.passkeys, userId);
  const { emails, phone_numbers, password } = readUser(state, userId);
  change(state, userId, {
    emails: emails.filter(({ email_id }) => email_id === kept.email_id),
    phone_numbers: phone_numbers.filter(({ phone_id }) => phone_id === kept.phone_id),
    totps: [],
    providers: [],
    crypto_wallets: [],
    webauthn_registrations: [],
    password: password && { ...password, requires_reset: true },
  });
}

function owned(user: User): Owned {
  return { user, user_id: user.user_id, status: user.status };
}

export function emailsOf(state: ServerState): readonly KnownEmail[] {
  return [...state.users.values()].flatMap((user) => user.emails.map((email) => ({ ...email, ...owned(user) })));
}

function phonesOf(state: ServerState): readonly KnownPhone[] {
  return [...state.users.values()].flatMap((user) => user.phone_numbers.map((phone) => ({ ...phone, ...owned(user) })));
}
