import { wholeName } from '#server-rules/accounts.ts';
import { rolesOf } from '#server-rules/roles.ts';
import { checkArrival, type Arrival } from '#server-rules/sign-ups.ts';
import type { User } from '#domain/users/user.ts';
import type { ServerState } from './state.ts';

/** The user in the wire's form, including the roles that are assigned to its verified addresses. */
export function readUser(state: ServerState, userId: string): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const assignments = state.settings.roleAssignments.map((each) => ({ user_id: null, ...each }));
  return { ...user, roles: [...new Set([...user.roles, ...rolesOf(assignments, user)])] };
}

/** @param passkeyOf the session that adds a passkey; the codes that it granted to apps remain */
export function change(state: ServerState, userId: string, changes: Partial<User>, passkeyOf?: string): User {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const changed = { ...user, ...changes };
  state.users.set(userId, changed);
  if (factorsOf(user) !== factorsOf(changed)) endTrust(state, userId, passkeyOf);
  return readUser(state, userId);
}

/** A user who is made. */
interface Newcomer extends Partial<Omit<User, 'status'>> {
  readonly arrival: Arrival;
  readonly status: 'active' | 'pending';
}

/** Creates a user without any factor, if the project lets them in. The caller must add one immediately. */
export function newUser(state: ServerState, { arrival, status, ...changes }: Newcomer): User {
  const { signUp } = state.settings;
  checkArrival(signUp, arrival);
  const user: User = {
    user_id: state.id('user'),
    created_at: state.stamp(),
    status,
    roles: [...signUp.roles],
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

/** Creates a user who comes in by a login method other than an address or number. */
export function newMember(state: ServerState, newcomer: Omit<Newcomer, 'status'>): User {
  const user = newUser(state, { ...newcomer, status: 'active' });
  state.cameIn.add(user.user_id);
  return user;
}

/** Marks a user as active. Whoever comes in gets the roles that new users get now. */
export function comeIn(state: ServerState, userId: string): void {
  const roles = state.cameIn.has(userId) ? {} : { roles: [...state.settings.signUp.roles] };
  change(state, userId, { status: 'active', ...roles });
  state.cameIn.add(userId);
}

/** The ids of the user's login methods. */
const factorsOf = (user: User): string =>
  JSON.stringify([
    user.emails.filter(({ verified }) => verified).map(({ email_id }) => email_id),
    user.phone_numbers.filter(({ verified }) => verified).map(({ phone_id }) => phone_id),
    user.webauthn_registrations.map(({ webauthn_registration_id: id }) => id),
    user.crypto_wallets.map(({ crypto_wallet_id: id }) => id),
    user.providers.map(({ oauth_user_registration_id: id }) => id),
    user.totps.filter(({ verified }) => verified).map(({ totp_id }) => totp_id),
    user.password?.password_id,
  ]);

/** Removes the user's rows: all of them, or those for which `goes` returns true. */
export function removeRows<Row extends { readonly user_id: string | null }>(
  table: Map<string, Row>,
  userId: string,
  goes: (row: Row) => boolean = () => true,
): void {
  for (const [key, row] of table) if (row.user_id === userId && goes(row)) table.delete(key);
}

/** A change of a login method ends the trust in browsers, and everything unfinished from before the change. */
export function endTrust(state: ServerState, userId: string, passkeyOf?: string): void {
  removeRows(state.trustedDevices, userId);
  endPending(state, userId, passkeyOf);
}

/** Ends everything unfinished in the user's sessions, and the logins that lack a factor. */
function endPending(state: ServerState, userId: string, passkeyOf: string | undefined): void {
  endAdditions(state, userId);
  removeRows(state.intermediates, userId);
  removeRows(state.attachTokens, userId);
  removeRows(state.returns, userId, ({ attachee }) => attachee !== null);
  removeRows(state.authorizationCodes, userId, ({ session_id }) => session_id !== passkeyOf);
  for (const [key, { session_id }] of state.pendingRegistrations) {
    if (state.sessions.get(session_id)?.user_id === userId) state.pendingRegistrations.delete(key);
  }
}

/** Ends the user's unfinished additions of login methods, and their challenges. */
export function endAdditions(state: ServerState, userId: string): void {
  removeRows(state.links, userId, ({ adds }) => adds !== null);
  removeRows(state.codes, userId, ({ adds }) => adds !== null);
  removeRows(state.ceremonies, userId);
  removeRows(state.walletChallenges, userId);
  if (state.totps.get(userId)?.verified !== false) return;
  state.totps.delete(userId);
  change(state, userId, { totps: [] });
}
