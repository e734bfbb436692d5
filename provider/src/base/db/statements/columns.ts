import type { ColumnType } from 'kysely';

/** A JSON column: read as a value, written as its text, because drivers treat arrays differently. */
export type JsonColumn<T> = ColumnType<T, string, string>;

/** A JSON column that may be null, which is the default. */
export type OptionalJsonColumn<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** A JSON column with a default in the database. */
export type GeneratedJsonColumn<T> = ColumnType<T, string | undefined, string>;
