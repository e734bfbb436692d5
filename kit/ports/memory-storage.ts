import { Observable, Subject } from 'rxjs';
import type { StoragePort } from '#application/ports/index.ts';
import { UnsavedValues } from '#infrastructure/storage/web-storage.ts';

interface StorageChange {
  readonly from: MemoryStorage | null;
  /** The changed key; null if all keys were deleted. */
  readonly key: string | null;
}

/** The storage that the tabs of one browser share. `tab()` opens a tab. */
export class StorageBus {
  readonly values = new Map<string, string>();
  readonly news = new Subject<StorageChange>();
  /** True makes every write fail, as in a full or blocked store. */
  full = false;
  private queue: StorageChange[] | null = null;

  tab(): MemoryStorage {
    return new MemoryStorage(this);
  }

  /** Holds `storage` events: the tabs get them only when `deliver()` is called. */
  hold(): void {
    this.queue ??= [];
  }

  /** Delivers the held events in the order of the writes, and stops holding. */
  deliver(): void {
    const queue = this.queue ?? [];
    this.queue = null;
    for (const news of queue) this.news.next(news);
  }

  /** Deletes all values, as clearing a site's data does; every tab gets an event. */
  clear(): void {
    this.values.clear();
    this.tell({ from: null, key: null });
  }

  tell(news: StorageChange): void {
    if (this.queue === null) this.news.next(news);
    else this.queue.push(news);
  }
}

/** Storage in memory: one tab's view of a shared bus, or a separate bus. */
export class MemoryStorage implements StoragePort {
  private readonly lastWrites = new Map<string, string | null>();
  private readonly unsaved = new UnsavedValues<string | null>();

  constructor(private readonly bus: StorageBus = new StorageBus()) {}

  get(key: string): string | null {
    const platformValue = this.bus.values.get(key) ?? null;
    const mine = this.unsaved.get(key, platformValue);
    return mine === undefined ? platformValue : mine;
  }

  set(key: string, value: string): void {
    this.write(key, value);
  }

  remove(key: string): void {
    this.write(key, null);
  }

  changes(key: string): Observable<string | null> {
    return new Observable((subscriber) =>
      this.bus.news.subscribe((news) => {
        if (news.from === this || (news.key !== null && news.key !== key)) return;
        const value = this.get(key);
        if (this.lastWrites.get(key) === value) return;
        this.lastWrites.delete(key);
        subscriber.next(value);
      }),
    );
  }

  private write(key: string, value: string | null): void {
    const platformValue = this.bus.values.get(key) ?? null;
    this.lastWrites.set(key, value);
    this.unsaved.delete(key);
    if (value === platformValue) return;
    if (this.bus.full) {
      this.unsaved.set(key, value, platformValue);
      return;
    }
    if (value === null) this.bus.values.delete(key);
    else this.bus.values.set(key, value);
    this.bus.tell({ from: this, key });
  }
}
