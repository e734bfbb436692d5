import { wholeName } from '../../../domain/rules/accounts.ts';
import { rolesOf } from '../../../domain/rules/roles.ts';
import type { User } from '../../../domain/users/user.ts';
import type { ServerState } from './state.ts';

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
  const changed = { ...user, ...changes };
  state.users.set(userId, changed);
  if (factorsOf(user) !== factorsOf(changed)) endTrust(state, userId);
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

/** The ids of the user's login methods. */
const factorsOf = (user: User): string =>
  JSON.stringify([
    user.emails.map(({ email_id }) => email_id),
    user.phone_numbers.map(({ phone_id }) => phone_id),
    user.webauthn_registrations.map(({ webauthn_registration_id: id }) => id),
    user.crypto_wallets.map(({ crypto_wallet_id: id }) => id),
    user.providers.map(({ oauth_user_registration_id: id }) => id),
    user.totps.filter(({ verified }) => verified).map(({ totp_id }) => totp_id),
    user.password?.password_id,
  ]);

/** A change of a login method ends the trust in browsers, and the logins that lack a factor. */
export function endTrust({ trustedDevices, intermediates }: ServerState, userId: string): void {
  for (const table of [trustedDevices, intermediates] as const) {
    for (const [token, { user_id }] of table) if (user_id === userId) table.delete(token);
  }
}
