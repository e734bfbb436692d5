import { Observable, Subject } from 'rxjs';
import type { StoragePort } from '../../application/ports/index.ts';
import { Unsaved } from '../storage/web-storage.ts';

interface News {
  readonly from: MemoryStorage | null;
  /** Null for every key. */
  readonly key: string | null;
}

/** What the tabs of one browser share: `tab()` opens a tab. */
export class StorageBus {
  readonly values = new Map<string, string>();
  readonly news = new Subject<News>();
  /** True makes every write fail, as in a full or forbidden store. */
  full = false;
  private held: News[] | null = null;

  tab(): MemoryStorage {
    return new MemoryStorage(this);
  }

  /** From now on tabs hear of each other's writes only at `deliver()`. */
  hold(): void {
    this.held ??= [];
  }

  /** Tells the tabs what was held back, in the order it was written, and holds no longer. */
  deliver(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const news of held) this.news.next(news);
  }

  /** Deletes everything, as a person who clears a site's data does; every tab hears of it. */
  clear(): void {
    this.values.clear();
    this.tell({ from: null, key: null });
  }

  tell(news: News): void {
    if (this.held === null) this.news.next(news);
    else this.held.push(news);
  }
}

/** Storage in memory: one tab's view of a bus, or all by itself. */
export class MemoryStorage implements StoragePort {
  private readonly written = new Map<string, string | null>();
  private readonly unsaved = new Unsaved<string | null>();

  constructor(private readonly bus: StorageBus = new StorageBus()) {}

  get(key: string): string | null {
    const shown = this.bus.values.get(key) ?? null;
    const mine = this.unsaved.get(key, shown);
    return mine === undefined ? shown : mine;
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
        if (this.written.get(key) === value) return;
        this.written.delete(key);
        subscriber.next(value);
      }),
    );
  }

  private write(key: string, value: string | null): void {
    const shown = this.bus.values.get(key) ?? null;
    this.written.set(key, value);
    this.unsaved.delete(key);
    if (value === shown) return;
    if (this.bus.full) {
      this.unsaved.set(key, value, shown);
      return;
    }
    if (value === null) this.bus.values.delete(key);
    else this.bus.values.set(key, value);
    this.bus.tell({ from: this, key });
  }
}
