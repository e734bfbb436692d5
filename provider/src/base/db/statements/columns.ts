import type { ColumnType } from 'kysely';

/** A JSON column: read as a value, written as its text, because drivers disagree about arrays. */
export type JsonColumn<T> = ColumnType<T, string, string>;

/** A JSON column that may be null, and is unless it is given. */
export type OptionalJsonColumn<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** A JSON column that the database fills in when nothing is given. */
export type GeneratedJsonColumn<T> = ColumnType<T, string | undefined, string>;
