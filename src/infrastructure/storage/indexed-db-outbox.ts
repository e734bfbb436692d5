import type { OutboxPort } from '../../application/ports/index.ts';

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

/** IndexedDB (W3C Indexed Database API 3.0): shared by an origin's tabs, its keys in the order of writing. */
export class IndexedDbOutbox implements OutboxPort {
  private opened: Promise<IDBDatabase> | null = null;

  /** @param factory such as `() => indexedDB`; it may throw, and it may answer nothing */
  constructor(
    private readonly factory: () => IDBFactory | null | undefined,
    private readonly name: string,
  ) {}

  /** The text is handed over at once, and kept although the page may be gone before it hears so. */
  async add(text: string): Promise<boolean> {
    const added = await this.write(async (store, transaction) => {
      store.add(text);
      transaction.commit?.();
      return true;
    });
    if (added === null) return false;
    await this.write(async (store) => {
      const excess = (await answerOf(store.count())) - MOST;
      if (excess > 0) await this.removeOldest(store, excess);
    });
    return true;
  }

  /** Answers only when the removal is final. */
  async take(count: number): Promise<readonly string[]> {
    if (count < 1) return [];
    const taken = await this.write(async (store) => {
      const texts = answerOf(store.getAll(null, count));
      await this.removeOldest(store, count);
      return texts;
    });
    return (taken ?? []).filter((text) => typeof text === 'string');
  }

  private async removeOldest(store: IDBObjectStore, count: number): Promise<void> {
    for (const key of await answerOf(store.getAllKeys(null, count))) store.delete(key);
  }

  /** Null when nothing came of it. */
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

  /** Lets go of a connection that did not serve: the next call makes a new one. */
  private async close(opened: Promise<IDBDatabase> | null): Promise<void> {
    if (this.opened === opened) this.opened = null;
    try {
      (await opened)?.close();
    } catch {
      // It was never there.
    }
  }

  private async connect(): Promise<IDBDatabase> {
    const request = this.factory()?.open(this.name, 1);
    if (request === undefined) throw new Error('IndexedDB is missing');
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { autoIncrement: true });
    });
    const database = await answerOf(request);
    // Somebody deletes the database, or the browser has.
    for (const type of ['versionchange', 'close']) {
      database.addEventListener(type, () => {
        database.close();
        this.opened = null;
      });
    }
    return database;
  }
}
