import type { Observable } from 'rxjs';

/**
 * Small text values that outlive the page.
 *
 * - `get` answers null for a key never set or since removed;
 * - `changes` emits what another tab wrote (null: removed), never what this one wrote;
 * - a full or forbidden store degrades to memory and does not throw.
 */
export interface StoragePort {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  changes(key: string): Observable<string | null>;
}
