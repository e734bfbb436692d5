import type { Shape } from '#domain/shape.ts';

/** The fields of a search of clients, in pages. */
export const PAGE_FIELDS = { cursor: 'string?', limit: 'number?' } as const satisfies Shape;

export interface ResultsMetadata {
  readonly total: number;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
