/**
 * A job that one process at a time does. The row is that process's until `held_until` by the clock of the database: a lock of the
 * session would not survive a pooler, and other engines with PostgreSQL's protocol have none.
 */
export const LEASES: readonly string[] = [
  `create table leases (name text primary key, holder text not null, held_until timestamptz not null)`,
];
