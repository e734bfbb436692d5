import { Refusal } from '#domain/rules/refusal.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#provider/project/settings/operator-login.ts';

/** The roles of operators, and what they may do. */
export const ROLES: Readonly<Record<OperatorRole, string>> = {
  admin: 'reads and changes everything',
  reader: 'reads everything, changes nothing',
  support: 'helps users with their sessions and messages',
  auditor: 'reads and exports the audit log',
};

export type Role = OperatorRole;

export const ROLE_NAMES: readonly Role[] = OPERATOR_ROLES;

/** The pages below `/operators`, and the roles that may read them. */
export const PAGE_ROLES = {
  users: ['admin', 'reader', 'support'],
  'users/:user': ['admin', 'reader', 'support'],
  import: ['admin'],
  clients: ['admin', 'reader'],
  'clients/:client': ['admin', 'reader'],
  agents: ['admin', 'reader'],
  'agents/:agent': ['admin', 'reader'],
  connections: ['admin', 'reader'],
  passkeys: ['admin', 'reader'],
  keys: ['admin', 'reader'],
  outbox: ['admin', 'reader', 'support'],
  audit: ['admin', 'reader', 'auditor'],
  people: ['admin', 'reader'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** The path of a page. */
export type PageName = keyof typeof PAGE_ROLES;
/** The pages of the table of views. */
export type PagePath = Exclude<PageName, 'import'>;

/** For a command that no page has: only the command line runs it. */
export const NO_PAGE: readonly Role[] = [];

interface HasRole {
  readonly role: Role;
}

const isOneOf = (role: Role, roles: readonly Role[]): boolean => roles.includes(role);

export function mayRead({ role }: HasRole, page: PageName): boolean {
  return isOneOf(role, PAGE_ROLES[page]);
}

export function mayRun({ role }: HasRole, command: { readonly roles: readonly Role[] }): boolean {
  return isOneOf(role, command.roles);
}

/** Refuses an operator with another role. */
export function checkRole({ role }: HasRole, roles: readonly Role[]): void {
  if (isOneOf(role, roles)) return;
  throw new Refusal(
    'unauthorized_action',
    `Your role is ${role}, and this needs the role ${roles.join(' or ')}. Whoever runs the server can give you another one: "operators invite NAME --role ROLE".`,
  );
}

/** The role of this name. */
export function roleFrom(name: string): Role {
  const role = ROLE_NAMES.find((each) => each === name);
  if (role === undefined) throw new Refusal('bad_request', `role must be one of ${ROLE_NAMES.join(', ')}.`);
  return role;
}
