/** Which recoveries a login of two factors ends. Those of earlier versions go on. */
export const RECOVERY_ENDS: readonly string[] = [
  'alter table recoveries add column ends_with_login boolean not null default false',
];
