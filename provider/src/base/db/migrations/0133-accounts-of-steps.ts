/** The social accounts that a login which lacks a factor adds once it is complete: sealed, as those that wait in a session. */
export const ACCOUNTS_OF_STEPS: readonly string[] = [
  `alter table intermediate_sessions add column pending_accounts jsonb not null default '[]'`,
];
