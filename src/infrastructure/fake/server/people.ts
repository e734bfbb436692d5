import { isEmail } from '../../../domain/email.ts';
import type { User, UserEmail, UserPhoneNumber } from '../../../domain/user.ts';
import { Refused } from './refused.ts';
import type { ServerState } from './state.ts';
import type { Adding } from './tables.ts';

/** An address of a user; `user` as it was when it was found. */
export interface KnownEmail extends UserEmail {
  readonly user: User;
}

export interface KnownPhone extends UserPhoneNumber {
  readonly user: User;
}

const E164 = /^\+[1-9]\d{6,14}$/u;
const key = (email: string): string => email.toLowerCase();

export function checkEmail(email: string): void {
  if (!isEmail(email)) throw new Refused('invalid_email');
}

export function checkPhoneNumber(text: string): void {
  if (!E164.test(text)) throw new Refused('invalid_phone_number');
}

/** The user as the wire shows one: with the roles that its verified addresses are assigned. */
export function readUser(state: ServerState, userId: string): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const verified = new Set(user.emails.filter(({ verified }) => verified).map(({ email }) => key(email)));
  const assigned = state.settings.roleAssignments.filter(({ email }) => verified.has(key(email)));
  return { ...user, roles: [...new Set([...user.roles, ...assigned.flatMap(({ roles }) => roles)])] };
}

export function change(state: ServerState, userId: string, changes: Partial<User>): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  state.users.set(userId, { ...user, ...changes });
  return readUser(state, userId);
}

/** A user without a way in: give one at once. */
export function newUser(state: ServerState, status: 'active' | 'pending', changes: Partial<User> = {}): User {
  const user: User = {
    user_id: state.id('user'),
    created_at: state.stamp(),
    status,
    roles: [],
    name: { first_name: '', middle_name: '', last_name: '' },
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
  return emailsOf(state).find((known) => key(known.email) === key(email));
}

export function findPhone(state: ServerState, phoneNumber: string): KnownPhone | undefined {
  return phonesOf(state).find((known) => known.phone_number === phoneNumber);
}

export function findOrCreateEmail(state: ServerState, email: string, status: 'active' | 'pending'): KnownEmail {
  const made = (): KnownEmail => {
    const added = { email_id: state.id('email'), email, verified: false };
    return { ...added, user: newUser(state, status, { emails: [added] }) };
  };
  return findEmail(state, email) ?? made();
}

export function findOrCreatePhone(state: ServerState, phone_number: string): KnownPhone {
  const made = (): KnownPhone => {
    const added = { phone_id: state.id('phone-number'), phone_number, verified: false };
    return { ...added, user: newUser(state, 'pending', { phone_numbers: [added] }) };
  };
  return findPhone(state, phone_number) ?? made();
}

/** False for an address or number that nobody ever proved to have. */
export function isTaken({ verified, user }: KnownEmail | KnownPhone): boolean {
  return verified || user.status === 'active';
}

/**
 * Whoever reads the address's mail owns it. The first proof ends what anyone else may have prepared with the address of
 * a stranger, unless `keep` is the user of a live session. Undefined when the address is gone.
 */
export function confirmEmail(state: ServerState, emailId: string, keep: string | null): KnownEmail | undefined {
  const known = emailsOf(state).find(({ email_id }) => email_id === emailId);
  if (known === undefined) return undefined;
  const { user_id, emails } = known.user;
  if (!known.verified && keep !== user_id) dropWhatElse(state, known);
  const own = (state.users.get(user_id)?.emails ?? emails).map((each) =>
    each.email_id === emailId ? { ...each, verified: true } : each,
  );
  change(state, user_id, { status: 'active', emails: own });
  return { ...known, verified: true };
}

function dropWhatElse(state: ServerState, { user, email_id }: KnownEmail): void {
  const { user_id, password, emails } = user;
  state.totps.delete(user_id);
  for (const [id, passkey] of state.passkeys) if (passkey.user_id === user_id) state.passkeys.delete(id);
  endSessions(state, user_id, null);
  change(state, user_id, {
    emails: emails.filter((each) => each.email_id === email_id),
    phone_numbers: [],
    totps: [],
    providers: [],
    crypto_wallets: [],
    webauthn_registrations: [],
    password: password && { ...password, requires_reset: true },
  });
}

export function confirmPhone(state: ServerState, phoneId: string): KnownPhone | undefined {
  const known = phonesOf(state).find(({ phone_id }) => phone_id === phoneId);
  if (known === undefined) return undefined;
  const { user_id, phone_numbers } = known.user;
  const own = phone_numbers.map((each) => (each.phone_id === phoneId ? { ...each, verified: true } : each));
  change(state, user_id, { status: 'active', phone_numbers: own });
  return { ...known, verified: true };
}

/** Gives a proven address to a user; refuses one that another user has. */
export function attachEmail(state: ServerState, { user_id, address }: Adding, id: string): UserEmail {
  const known = findEmail(state, address);
  if (known?.user.user_id === user_id) return confirmEmail(state, known.email_id, user_id) ?? known;
  if (known !== undefined) {
    if (isTaken(known)) throw new Refused('duplicate_email');
    state.users.delete(known.user.user_id);
  }
  const email = { email_id: id, email: address, verified: true };
  change(state, user_id, { emails: [...(state.users.get(user_id)?.emails ?? []), email] });
  return email;
}

/** As `attachEmail`, for a number. */
export function attachPhone(state: ServerState, { user_id, address }: Adding, id: string): UserPhoneNumber {
  const known = findPhone(state, address);
  if (known?.user.user_id === user_id) return confirmPhone(state, known.phone_id) ?? known;
  if (known !== undefined) {
    if (isTaken(known)) throw new Refused('duplicate_phone_number');
    state.users.delete(known.user.user_id);
  }
  const phone = { phone_id: id, phone_number: address, verified: true };
  change(state, user_id, { phone_numbers: [...(state.users.get(user_id)?.phone_numbers ?? []), phone] });
  return phone;
}

/** Ends a user's sessions, all but one. */
export function endSessions(state: ServerState, userId: string, keptId: string | null): void {
  for (const [id, { session }] of state.sessions) {
    if (session.user_id === userId && id !== keptId) state.sessions.delete(id);
  }
}

export function emailsOf(state: ServerState): readonly KnownEmail[] {
  return [...state.users.values()].flatMap((user) => user.emails.map((email) => ({ ...email, user })));
}

function phonesOf(state: ServerState): readonly KnownPhone[] {
  return [...state.users.values()].flatMap((user) => user.phone_numbers.map((phone) => ({ ...phone, user })));
}
