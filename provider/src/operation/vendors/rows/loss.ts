import { FieldFault } from './row.ts';
import type { Loss } from '../vendor.ts';

/** What is read; a loss if a field of it cannot be read. The rest of the person stays. */
export function orLoss<T>(what: Loss['what'], read: () => T): T | Loss {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    return { what, reason: error.reason, isDamaged: true };
  }
}

/** The items that are read; one loss if their list cannot be read. */
export function itemsOrLoss<T>(what: Loss['what'], read: () => readonly (T | Loss)[]): readonly (T | Loss)[] {
  const items = orLoss(what, read);
  return 'what' in items ? [items] : items;
}
