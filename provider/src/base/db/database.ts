import type { Kysely, LogEvent } from 'kysely';

/**
 * All tables. Each feature adds its tables in the file with the types of their rows: `declare module '…/base/db/database.ts' { interface
 * Database extends UserTables {} }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Database {}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;

/** Called after every statement. */
export type QueryObserver = (event: LogEvent) => void;
