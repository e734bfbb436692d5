import type { Kysely, LogEvent } from 'kysely';

/**
 * Every table. Each feature adds its own, beside the types of their rows:
 * `declare module '…/base/db/database.ts' { interface Database extends UserTables {} }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- filled by declaration merging
export interface Database {}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;

/** Is told of every statement when it has ended. */
export type QueryObserver = (event: LogEvent) => void;
