import { useId } from 'react';
import { useWidget } from './useWidget.ts';

/**
 * An id for elements of a screen. A renderer's own ids are unique only within its root or copy. Two widgets with different roots or
 * renderers can have the same ones.
 */
export const useOwnId = (): string => useWidget().id + useId();
