/** What the platform showed: a value, null for none, undefined when it could not be asked. */
export type Shown = string | null | undefined;

/**
 * What this page wrote and the platform did not keep. An entry stands until the platform shows something other than
 * it did then: someone has written since, and their value is the newer one.
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
