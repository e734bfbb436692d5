/**
 * The oldest login method and the oldest contact as the dispute began: whoever removes them meanwhile makes no other one the oldest. Null
 * for a recovery that disputes nothing, or is older.
 */
export const OLDEST_OF_DISPUTES: readonly string[] = [
  `alter table recoveries add column oldest_method_at timestamptz, add column oldest_contact_at timestamptz`,
];
