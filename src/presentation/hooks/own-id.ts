import { useId } from 'react';
import { useWidget } from './useWidget.ts';

/** Shared by all copies of the package on a page. */
const COUNT = Symbol.for('portico.ids');

/** An id that no other widget of the page has, of this copy of the package or another one. */
export function nextId(): string {
  const page = globalThis as { [COUNT]?: number };
  page[COUNT] = (page[COUNT] ?? 0) + 1;
  return `portico-${page[COUNT]}`;
}

/**
 * An id for elements of a screen. A renderer's own ids are unique in its root, or in its copy; those of two widgets, each with a root or a
 * renderer of its own, can be the same.
 */
export const useOwnId = (): string => useWidget().id + useId();
