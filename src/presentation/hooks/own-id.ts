import { useId } from 'react';
import { useWidget } from './useWidget.ts';

/**
 * An id for elements of a screen. A renderer's own ids are unique in its root, or in its copy; those of two widgets, each with a root or a
 * renderer of its own, can be the same.
 */
export const useOwnId = (): string => useWidget().id + useId();
