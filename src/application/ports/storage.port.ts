import type { Observable } from 'rxjs';

/**
 * Stores small text values that are kept when the page closes.
 *
 * - `get` returns null for a key that was never set or was removed;
 * - `changes` emits the values that other tabs write (null: removed), but not those of this tab;
 * - when the store is full or blocked, values are kept in memory and nothing throws.
 */
export interface StoragePort {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  changes(key: string): Observable<string | null>;
}
