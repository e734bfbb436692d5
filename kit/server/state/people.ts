import { checkRoom, hasProven, isSignedUp, isTaken, wholeName } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, type Contact, type ContactKind } from '#server-rules/contacts.ts';
import { signUpSession } from '#server-rules/first-proof.ts';
import type { Arrival } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { User } from '#domain/users/user.ts';
import { endAccess, endEverythingBut } from './belongings.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { change, comeIn, newUser, readUser, removeRows } from './user-rows.ts';

/** A contact and its owner; `user` is a copy from the time of the search. */
export interface KnownContact extends Contact {
  readonly user: User;
  readonly status: string;
}

const E164 = /^\+[1-9]\d{6,14}$/u;

export function checkPhoneNumber(text: string): void {
  if (!E164.test(text)) throw new Refusal('invalid_phone_number');
}

/** The contacts of one kind that the user has. */
function contactsOf(kind: ContactKind, user: User): readonly KnownContact[] {
  const { user_id, status } = user;
  const owned = { kind, user, user_id, status };
  return kind === 'email'
    ? user.emails.map(({ email_id, email, verified }) => ({ ...owned, method_id: email_id, value: email, verified }))
    : user.phone_numbers.map(({ phone_id, phone_number, verified }) => {
        return { ...owned, method_id: phone_id, value: phone_number, verified };
      });
}

type ContactRow = Pick<Contact, 'method_id' | 'value' | 'verified'>;

/** The user's list of one kind in the wire's format. */
function listOf(kind: ContactKind, contacts: readonly ContactRow[]): Pick<Partial<User>, 'emails' | 'phone_numbers'> {
  return kind === 'email'
    ? { emails: contacts.map(({ method_id, value, verified }) => ({ email_id: method_id, email: value, verified })) }
    : {
        phone_numbers: contacts.map(({ method_id, value, verified }) => {
          return { phone_id: method_id, phone_number: value, verified };
        }),
      };
}

function allContacts(state: ServerState, kind: ContactKind): readonly KnownContact[] {
  return [...state.users.values()].flatMap((user) => contactsOf(kind, user));
}

export function findContact(state: ServerState, kind: ContactKind, value: string): KnownContact | undefined {
  const { keyOf } = CONTACT_KINDS[kind];
  return allContacts(state, kind).find((contact) => keyOf(contact.value) === keyOf(value));
}

export function contactById(state: ServerState, kind: ContactKind, methodId: string): KnownContact | undefined {
  return allContacts(state, kind).find(({ method_id }) => method_id === methodId);
}

export function findOrCreateContact(
  state: ServerState,
  kind: ContactKind,
  value: string,
  { arrival, status }: { readonly arrival: Arrival; readonly status: 'active' | 'pending' },
): KnownContact {
  const contact = findContact(state, kind, value);
  if (contact !== undefined) return contact;
  const added = { method_id: state.id(CONTACT_KINDS[kind].idKind), value: value.normalize('NFC'), verified: false };
  const user = newUser(state, { arrival, status, ...listOf(kind, [added]) });
  return { ...added, kind, user, user_id: user.user_id, status };
}

/**
 * Marks the contact as verified, because the caller has read its messages. The first verification removes all other access to the account,
 * which a stranger may have registered in advance; the session of the sign-up keeps its additions (`signUpSession`). Undefined if the
 * contact no longer exists.
 */
export function confirmContact(
  state: ServerState,
  kind: ContactKind,
  methodId: string,
  asker?: LiveSession,
): KnownContact | undefined {
  const contact = contactById(state, kind, methodId);
  if (contact === undefined || contact.verified) return contact;
  const { user_id, method_id } = contact;
  const contacts = contactsOf(kind, contact.user).map((each) => {
    return each.method_id === method_id ? { ...each, verified: true } : each;
  });
  comeIn(state, user_id);
  change(state, user_id, listOf(kind, contacts));
  const own = signUpSession({ user_id, added_in: state.addedIn.get(method_id) ?? null }, asker);
  endEverythingBut(state, user_id, { method_id, session_id: own?.session_id });
  if (own === undefined) forgetWords(state, user_id);
  return { ...contact, verified: true, status: 'active' };
}

/** Removes what an unverified sign-up wrote and accepted, because it may not be the owner's. */
function forgetWords(state: ServerState, userId: string): void {
  change(state, userId, { name: wholeName({}), untrusted_metadata: {} });
  state.acceptedTerms.delete(userId);
}

/** The contact to add to the user, in the form for a message to it. Refuses a contact of another user. */
export function contactToAdd(state: ServerState, user_id: string, kind: ContactKind, value: string) {
  const { idKind, keyOf, taken: refusalType } = CONTACT_KINDS[kind];
  const contact = findContact(state, kind, value);
  const mine = contact?.user_id === user_id;
  if (contact !== undefined && !mine && isTaken(contact)) throw new Refusal(refusalType);
  const method_id = mine ? contact.method_id : state.addedId(idKind, user_id, keyOf(value));
  return { method_id, user_id, value: mine ? contact.value : value, adds: value };
}

/**
 * Adds a verified contact to the session's user. If another user has it unverified, it is taken from them. If the user already has it, it
 * becomes verified.
 */
export function attachContact(
  state: ServerState,
  session: Pick<LiveSession, 'user_id' | 'session_id'>,
  { kind, method_id, value }: Pick<Contact, 'kind' | 'method_id' | 'value'>,
): Contact {
  const { user_id, session_id } = session;
  const current = findContact(state, kind, value);
  if (current?.user_id === user_id) {
    confirmContact(state, kind, current.method_id, 'token' in session ? (session as LiveSession) : undefined);
    return { ...current, verified: true };
  }
  if (current !== undefined) release(state, current);
  const contacts = contactsOf(kind, readUser(state, user_id));
  checkRoom(contacts.length);
  const contact = { kind, method_id, user_id, value, verified: true };
  change(state, user_id, listOf(kind, [...contacts, contact]));
  state.addedIn.set(method_id, session_id);
  endEarlierIfEntered(state, contact, 'token' in session ? (session as LiveSession) : undefined);
  return contact;
}

/** Handles the proof of the address from a sign-up with a passkey: it counts as a first verification, as in `confirmContact`. */
function endEarlierIfEntered(
  state: ServerState,
  { kind, user_id, method_id, value }: Contact,
  asker: LiveSession | undefined,
): void {
  const { unproven_email: entered } = readUser(state, user_id);
  const { keyOf } = CONTACT_KINDS[kind];
  if (kind !== 'email' || entered === undefined || keyOf(entered) !== keyOf(value)) return;
  change(state, user_id, { unproven_email: undefined });
  const own = signUpSession({ user_id, added_in: state.unprovenIn.get(user_id) ?? null }, asker);
  endEverythingBut(state, user_id, { method_id, session_id: own?.session_id });
  if (own === undefined) forgetWords(state, user_id);
}

/** Frees a contact that a stranger has signed up with, for a caller who vouches for its owner. */
export function freeSignedUp(state: ServerState, kind: ContactKind, value: string): void {
  const contact = findContact(state, kind, value);
  if (contact !== undefined && !isTaken(contact) && isSignedUp(contact)) release(state, contact);
}

/**
 * Takes an unverified contact from its user, for another who has verified it. A user who has proven nothing is removed. Any other user
 * stays, without the earlier sessions and messages; if the contact was the last address, the password is removed too.
 */
function release(state: ServerState, contact: KnownContact): void {
  if (isTaken(contact)) throw new Refusal(CONTACT_KINDS[contact.kind].taken);
  const { kind, user_id, user, method_id } = contact;
  endAccess(state, user_id, null, 'all');
  const rest = contactsOf(kind, user).filter((each) => each.method_id !== method_id);
  const isGone = !hasProven(user);
  const losesPassword = user.emails.every(({ email_id }) => email_id === method_id);
  if (isGone || losesPassword) state.passwords.delete(user_id);
  if (!isGone) {
    change(state, user_id, { ...listOf(kind, rest), ...(losesPassword ? { password: null } : {}) });
    return;
  }
  state.totps.delete(user_id);
  removeRows(state.passkeys, user_id);
  state.users.delete(user_id);
}
