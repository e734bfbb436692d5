import type { OutboxPort } from '#application/ports/index.ts';

const STORE = 'texts';
const MOST = 100;

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}

function isDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB gave up')));
  });
}

/** An outbox in IndexedDB (W3C Indexed Database API 3.0), shared by the tabs of an origin. Keys follow the order of writing. */
export class IndexedDbOutbox implements OutboxPort {
  private opened: Promise<IDBDatabase> | null = null;

  /** @param factory for example `() => indexedDB`; it may throw or return undefined */
  constructor(
    private readonly factory: () => IDBFactory | null | undefined,
    private readonly name: string,
  ) {}

  /** Commits immediately, so that the text is stored even if the page closes before the answer arrives. */
  async add(text: string): Promise<boolean> {
    const count = await this.write(async (store, transaction) => {
      store.add(text);
      const counted = answerOf(store.count());
      transaction.commit?.();
      return counted;
    });
    if (count === null) return false;
    // Counted again, because other tabs remove texts too.
    if (count > MOST)
      await this.write(async (store) => this.removeOldest(store, (await answerOf(store.count())) - MOST));
    return true;
  }

  /** Resolves after the removal is committed. */
  async take(count: number): Promise<readonly string[]> {
    if (count < 1) return [];
    const batch = await this.write(async (store) => {
      const texts = answerOf(store.getAll(null, count));
      await this.removeOldest(store, count);
      return texts;
    });
    return (batch ?? []).filter((text) => typeof text === 'string');
  }

  private async removeOldest(store: IDBObjectStore, count: number): Promise<void> {
    if (count < 1) return;
    for (const key of await answerOf(store.getAllKeys(null, count))) store.delete(key);
  }

  /** Runs the work in a transaction. Null when it failed. */
  private async write<T>(work: (store: IDBObjectStore, transaction: IDBTransaction) => Promise<T>): Promise<T | null> {
    try {
      const transaction = (await this.open()).transaction(STORE, 'readwrite');
      const done = isDone(transaction);
      const [answer] = await Promise.all([work(transaction.objectStore(STORE), transaction), done]);
      return answer;
    } catch {
      void this.close(this.opened);
      return null;
    }
  }

  private async open(): Promise<IDBDatabase> {
    return (this.opened ??= this.connect());
  }

  /** Closes a failed connection: the next call opens a new one. */
  private async close(opened: Promise<IDBDatabase> | null): Promise<void> {
    if (this.opened === opened) this.opened = null;
    try {
      (await opened)?.close();
    } catch {
      // The connection was never opened.
    }
  }

  private async connect(): Promise<IDBDatabase> {
    const request = this.factory()?.open(this.name, 1);
    if (request === undefined) throw new Error('IndexedDB is missing');
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { autoIncrement: true });
    });
    const database = await answerOf(request);
    // Another tab deletes or upgrades the database, or the browser closed it.
    for (const type of ['versionchange', 'close']) {
      database.addEventListener(type, () => {
        database.close();
        this.opened = null;
      });
    }
    return database;
  }
}
