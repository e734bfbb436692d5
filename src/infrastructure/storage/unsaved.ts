/** The value that the platform returned: null for none, undefined when it could not be read. */
export type Shown = string | null | undefined;

/**
 * Values that this page wrote and the platform did not keep. An entry is valid until the platform returns another value than at
 * the time of the write: then another writer has stored a newer value.
 */
export class Unsaved<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly shown: Shown }>();

  set(key: string, value: T, shown: Shown): void {
    this.entries.set(key, { value, shown });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  get(key: string, shown: Shown): T | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (shown === undefined || entry.shown === shown) return entry.value;
    if (entry.shown === undefined) {
      this.entries.set(key, { value: entry.value, shown });
      return entry.value;
    }
    this.entries.delete(key);
    return undefined;
  }
}
