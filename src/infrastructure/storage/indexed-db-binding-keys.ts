import type { BindingKey, BindingKeysPort } from '#application/ports/index.ts';

const STORE = 'keys';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The parts of a window that the adapter uses. */
export interface KeyScope {
  readonly crypto: Pick<Crypto, 'subtle'>;
  readonly indexedDB: IDBFactory;
}

const isPair = (value: unknown): value is CryptoKeyPair =>
  typeof value === 'object' && value !== null && 'privateKey' in value && 'publicKey' in value;

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}

/**
 * Keys of Web Cryptography that cannot be exported, in IndexedDB. There are none on a page that is neither https nor loopback, or in a
 * browser that blocks the page's storage.
 */
export class IndexedDbBindingKeys implements BindingKeysPort {
  private readonly pairs = new WeakMap<BindingKey, CryptoKeyPair>();

  /** @param scope for example `() => window`; it may throw */
  constructor(
    private readonly scope: () => KeyScope,
    private readonly database: string,
  ) {}

  async find(name: string): Promise<BindingKey | null> {
    const found: unknown = await this.run('readonly', async (store) => answerOf(store.get(name)));
    return isPair(found) ? this.keyOf(found) : null;
  }

  async ensure(name: string): Promise<BindingKey | null> {
    const found = await this.find(name);
    if (found !== null) return found;
    const newPair = await this.make();
    const pair = newPair && (await this.putIfNone(name, newPair));
    return pair && this.keyOf(pair);
  }

  async keep(name: string, key: BindingKey): Promise<void> {
    const pair = this.pairs.get(key);
    if (pair !== undefined) await this.putIfNone(name, pair);
  }

  async remove(name: string): Promise<void> {
    await this.run('readwrite', async (store) => answerOf(store.delete(name)));
  }

  /** Returns the stored pair: this one, or the pair of another tab that stored it first. */
  private async putIfNone(name: string, pair: CryptoKeyPair): Promise<CryptoKeyPair | null> {
    return this.run('readwrite', async (store) => {
      const before: unknown = await answerOf(store.get(name));
      if (isPair(before)) return before;
      await answerOf(store.put({ privateKey: pair.privateKey, publicKey: pair.publicKey }, name));
      return pair;
    });
  }

  private async make(): Promise<CryptoKeyPair | null> {
    try {
      // False: the private half cannot be exported; the public half always can.
      return await this.scope().crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    } catch {
      return null;
    }
  }

  private async keyOf(pair: CryptoKeyPair): Promise<BindingKey | null> {
    try {
      const { subtle } = this.scope().crypto;
      const { x = '', y = '' } = await subtle.exportKey('jwk', pair.publicKey);
      const key: BindingKey = {
        jwk: { kty: 'EC', crv: 'P-256', x, y },
        sign: async (text) =>
          new Uint8Array(await subtle.sign(SIGNATURE, pair.privateKey, new TextEncoder().encode(text))),
      };
      this.pairs.set(key, pair);
      return key;
    } catch {
      return null;
    }
  }

  /** Runs the work in a transaction, and resolves when it is committed. Null when it failed. */
  private async run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T | null> {
    let database: IDBDatabase | null = null;
    try {
      database = await this.open();
      const transaction = database.transaction(STORE, mode);
      const done = new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB gave up')));
      });
      const [answer] = await Promise.all([work(transaction.objectStore(STORE)), done]);
      return answer;
    } catch {
      return null;
    } finally {
      // Calls are rare, and an open connection would keep a page out of the back-forward cache of some browsers.
      database?.close();
    }
  }

  private async open(): Promise<IDBDatabase> {
    const request = this.scope().indexedDB.open(this.database, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    return answerOf(request);
  }
}
