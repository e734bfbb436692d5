import type { ResultsMetadata } from '#provider/base/backend-api/search.ts';
import { wrongField } from './body-fields.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** The next rows of a search, sorted by id. */
export interface Page {
  /** The last id of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

interface PageFields {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export function pageFrom({ cursor = '', limit = DEFAULT_LIMIT }: PageFields): Page {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw wrongField('limit', `a whole number from 1 to ${MAX_LIMIT}`);
  }
  const after = Buffer.from(cursor, 'base64url').toString('latin1');
  if (cursorOf(after) !== cursor || !/^[!-~]*$/u.test(after)) throw wrongField('cursor', 'the next_cursor of a reply');
  return { after, limit };
}

/** @param found the rows of the page, in order, and one more if there is one */
export function pageOf<Row extends { readonly client_id: string }>(
  { limit }: Page,
  found: readonly Row[],
  total: number,
): { readonly rows: readonly Row[]; readonly results_metadata: ResultsMetadata } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next_cursor = found.length > limit && last !== undefined ? cursorOf(last.client_id) : null;
  return { rows, results_metadata: { total, next_cursor } };
}

function cursorOf(id: string): string {
  return Buffer.from(id, 'latin1').toString('base64url');
}
