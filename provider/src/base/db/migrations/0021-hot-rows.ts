/**
 * Rows that are updated often get room on their page: the new version is then written on the same page, and no index changes
 * (a heap-only tuple). Their tables are vacuumed before a fifth of the rows has changed. Both apply to pages that
 * are written from now on.
 */
const HOT: readonly string[] = ['sessions', 'limit_windows', 'passcodes'];

export const HOT_ROWS: readonly string[] = HOT.map(
  (table) => `alter table ${table} set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
);
