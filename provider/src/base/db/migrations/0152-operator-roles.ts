/** The roles for support, and for readers of the audit log alone. */
export const OPERATOR_ROLES: readonly string[] = [
  'alter table operators drop constraint operators_role_check',
  `alter table operators add constraint operators_role_check check (role in ('admin', 'reader', 'support', 'auditor'))`,
];
