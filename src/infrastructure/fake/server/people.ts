import { checkRoom, emailKey, hasProven, isTaken, wholeName } from '../../../domain/rules/accounts.ts';
import { signUpSession } from '../../../domain/rules/first-proof.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import type { User, UserEmail, UserPhoneNumber } from '../../../domain/users/user.ts';
import { endAccess, endEverythingBut, removeRows } from './belongings.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { change, newUser, readUser } from './user-rows.ts';

/** The owner of an address or number; `user` is a copy from the time of the search. */
interface ContactOwner {
  readonly user: User;
  readonly user_id: string;
  readonly status: string;
}

export interface KnownEmail extends UserEmail, ContactOwner {}

export interface KnownPhone extends UserPhoneNumber, ContactOwner {}

/** A verified address or number, and the id that it gets when the user does not have it yet. */
interface AddedContact {
  readonly id: string;
  readonly address: string;
}

const E164 = /^\+[1-9]\d{6,14}$/u;

export function checkPhoneNumber(text: string): void {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
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
 * account, which a stranger may have registered in advance; the session of the sign-up keeps what it added (`signUpSession`).
 * Undefined when the address no longer exists.
 */
export function confirmEmail(state: ServerState, emailId: string, asker?: LiveSession): KnownEmail | undefined {
  const known = emailsOf(state).find(({ email_id }) => email_id === emailId);
  if (known === undefined || known.verified) return known;
  const { user_id } = known;
  const verified = known.user.emails.map((each) => (each.email_id === emailId ? { ...each, verified: true } : each));
  change(state, user_id, { status: 'active', emails: verified });
  const own = signUpSession({ user_id, added_in: state.addedIn.get(emailId) ?? null }, asker);
  endEverythingBut(state, user_id, { email_id: emailId, session_id: own?.session_id });
  if (own === undefined) change(state, user_id, { name: wholeName({}), untrusted_metadata: {} });
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

/** Adds a verified address to the session's user. Takes it from another user who has not verified it. One that the user has is verified. */
export function attachEmail(state: ServerState, session: LiveSession, { id, address }: AddedContact): UserEmail {
  const { user_id, session_id } = session;
  const known = findEmail(state, address);
  if (known !== undefined && known.user_id !== user_id) {
    if (isTaken(known)) throw new Refusal('duplicate_email');
    release(state, known.user, { email_id: known.email_id });
  }
  if (known?.user_id === user_id) {
    confirmEmail(state, known.email_id, session);
    return { email_id: known.email_id, email: known.email, verified: true };
  }
  const { emails } = readUser(state, user_id);
  checkRoom(emails.length);
  const email = { email_id: id, email: address, verified: true };
  change(state, user_id, { emails: [...emails, email] });
  state.addedIn.set(id, session_id);
  return email;
}

/** Like `attachEmail`, for a telephone number. */
export function attachPhone(state: ServerState, session: LiveSession, { id, address }: AddedContact): UserPhoneNumber {
  const { user_id, session_id } = session;
  const known = findPhone(state, address);
  if (known !== undefined && known.user_id !== user_id) {
    if (isTaken(known)) throw new Refusal('duplicate_phone_number');
    release(state, known.user, { phone_id: known.phone_id });
  }
  if (known?.user_id === user_id) {
    confirmPhone(state, known.phone_id);
    return { phone_id: known.phone_id, phone_number: known.phone_number, verified: true };
  }
  const { phone_numbers } = readUser(state, user_id);
  checkRoom(phone_numbers.length);
  const phone = { phone_id: id, phone_number: address, verified: true };
  change(state, user_id, { phone_numbers: [...phone_numbers, phone] });
  state.addedIn.set(id, session_id);
  return phone;
}

/**
 * Takes an unverified address or number from its user, for another who has verified it. A user who has proven nothing is removed;
 * another stays, without the sessions and messages from before, and the password goes with the last address.
 */
function release(
  state: ServerState,
  user: User,
  { email_id, phone_id }: { readonly email_id?: string; readonly phone_id?: string },
): void {
  const { user_id } = user;
  endAccess(state, user_id, null, 'all');
  const emails = user.emails.filter((each) => each.email_id !== email_id);
  const phone_numbers = user.phone_numbers.filter((each) => each.phone_id !== phone_id);
  const gone = !hasProven(user);
  if (gone || emails.length === 0) state.passwords.delete(user_id);
  if (!gone) {
    change(state, user_id, { emails, phone_numbers, ...(emails.length === 0 ? { password: null } : {}) });
    return;
  }
  state.totps.delete(user_id);
  removeRows(state.passkeys, user_id);
  state.users.delete(user_id);
}

function owned(user: User): ContactOwner {
  return { user, user_id: user.user_id, status: user.status };
}

export function emailsOf(state: ServerState): readonly KnownEmail[] {
  return [...state.users.values()].flatMap((user) => user.emails.map((email) => ({ ...email, ...owned(user) })));
}

function phonesOf(state: ServerState): readonly KnownPhone[] {
  return [...state.users.values()].flatMap((user) => user.phone_numbers.map((phone) => ({ ...phone, ...owned(user) })));
}
