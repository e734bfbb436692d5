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
