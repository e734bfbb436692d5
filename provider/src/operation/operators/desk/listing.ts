import { Refusal } from '#domain/rules/refusal.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The result of a command: rows, and where the next page begins. */
export interface Listing {
  readonly rows: readonly Row[];
  /** For `--after`; null after the last page. */
  readonly next: string | null;
  /** Output that is not a table, such as a secret that is shown once. */
  readonly said?: string;
}

/** A response of one sentence, and the same as data. */
export function saying(text: string, row: Row): Listing {
  return { rows: [row], next: null, said: text };
}

const MOST = 1000;

/** The number of rows per page, from `--limit`. */
export function limitFrom(text: string | undefined, usual = 50): number {
  const limit = text === undefined ? usual : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    throw new Refusal('bad_request', `limit must be a whole number from 1 to ${MOST}.`);
  }
  return limit;
}
