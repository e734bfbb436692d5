import { Observable } from 'rxjs';
import type { StoragePort } from '#application/ports/index.ts';
import { pageShared } from '../browser/page-shared.ts';

export type StorageArea = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

type StorageListener = (event: Pick<StorageEvent, 'key' | 'storageArea'>) => void;

/** The source of `storage` events about the writes of other tabs: the window. */
export interface StorageEvents {
  addEventListener(type: 'storage', listener: StorageListener): void;
  removeEventListener(type: 'storage', listener: StorageListener): void;
}

/** The value that the platform returned: null for none, undefined when it could not be read. */
export type PlatformValue = string | null | undefined;

/**
 * Values that this page wrote and the platform did not keep. An entry is valid until the platform returns another value than at
 * the time of the write: then another writer has stored a newer value.
 */
export class UnsavedValues<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly platformValue: PlatformValue }>();

  set(key: string, value: T, platformValue: PlatformValue): void {
    this.entries.set(key, { value, platformValue });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  get(key: string, platformValue: PlatformValue): T | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (platformValue === undefined || entry.platformValue === platformValue) return entry.value;
    if (entry.platformValue === undefined) {
      this.entries.set(key, { value: entry.value, platformValue });
      return entry.value;
    }
    this.entries.delete(key);
    return undefined;
  }
}

/**
 * Web Storage (HTML Standard, section 12.2). Its getter throws when cookies are blocked, its methods throw when it is full, and
 * some browsers drop a write silently. Therefore every write is read back.
 */
export class WebStorage implements StoragePort {
  /** The values that this page wrote last; null when it removed the key. */
  private readonly writes = new Map<string, string | null>();
  private readonly unsaved = new UnsavedValues<string | null>();
  /** The listeners of every client of this page: a browser has no event for the writes of the same page. */
  private readonly listeners: Set<StorageListener>;

  /** @param area for example `() => localStorage`; it may throw or return null */
  constructor(
    private readonly area: () => StorageArea | null,
    private readonly events: StorageEvents,
  ) {
    this.listeners = pageShared(events, 'storage', () => new Set());
  }

  get(key: string): string | null {
    const platformValue = this.read(key);
    const mine = this.unsaved.get(key, platformValue);
    if (mine !== undefined) return mine;
    return platformValue === undefined ? (this.writes.get(key) ?? null) : platformValue;
  }

  set(key: string, value: string): void {
    this.write(key, value, (area) => area.setItem(key, value));
  }

  remove(key: string): void {
    this.write(key, null, (area) => area.removeItem(key));
  }

  /** Emits the current value of the store, not the event's, unless this object wrote it. */
  changes(key: string): Observable<string | null> {
    return new Observable((subscriber) => {
      const listener: StorageListener = (event) => {
        if ((event.key !== null && event.key !== key) || !this.isOurs(event.storageArea)) return;
        const value = this.get(key);
        if (this.writes.get(key) === value) return;
        this.writes.delete(key);
        subscriber.next(value);
      };
      this.events.addEventListener('storage', listener);
      this.listeners.add(listener);
      return () => {
        this.events.removeEventListener('storage', listener);
        this.listeners.delete(listener);
      };
    });
  }

  private write(key: string, value: string | null, act: (area: StorageArea) => void): void {
    this.writes.set(key, value);
    this.unsaved.delete(key);
    try {
      const area = this.area();
      if (area !== null) act(area);
    } catch {
      // Reading the value back shows whether it was written.
    }
    const platformValue = this.read(key);
    if (platformValue !== value) this.unsaved.set(key, value, platformValue);
    // Only after the writer's current task, as for events of other tabs.
    else queueMicrotask(() => this.tell(key));
  }

  private tell(key: string): void {
    try {
      const event = { key, storageArea: this.area() as Storage };
      for (const listener of this.listeners) listener(event);
    } catch {
      // The store can no longer be read.
    }
  }

  private read(key: string): PlatformValue {
    try {
      return this.area()?.getItem(key);
    } catch {
      return undefined;
    }
  }

  private isOurs(area: Storage | null): boolean {
    try {
      return area !== null && area === this.area();
    } catch {
      return false;
    }
  }
}
