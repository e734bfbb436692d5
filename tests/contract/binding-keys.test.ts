import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { FakeBindingKeys } from '#kit/ports/fake-binding-keys.ts';
import { IndexedDbBindingKeys } from '#infrastructure/storage/indexed-db-binding-keys.ts';
import { bindingKeysContract } from './binding-keys.contract.ts';

const runner = { describe, it, expect };

bindingKeysContract(runner, 'FakeBindingKeys', () => {
  const keys = new FakeBindingKeys();
  return { here: keys, elsewhere: keys, refuse: () => void (keys.refuses = true) };
});

bindingKeysContract(runner, 'IndexedDbBindingKeys on a stand-in of IndexedDB', () => {
  const indexedDB = new IDBFactory();
  let isRefused = false;
  const scope = () => {
    if (isRefused) throw new DOMException('forbidden', 'SecurityError');
    return { crypto: globalThis.crypto, indexedDB };
  };
  const [here, elsewhere] = [0, 1].map(() => new IndexedDbBindingKeys(scope, 'test'));
  return { here: here!, elsewhere: elsewhere!, refuse: () => void (isRefused = true) };
});

describe('IndexedDbBindingKeys', () => {
  it('stores a private half that no script can export', async () => {
    const indexedDB = new IDBFactory();
    await new IndexedDbBindingKeys(() => ({ crypto: globalThis.crypto, indexedDB }), 'test').ensure('name');
    const stored = await new Promise<CryptoKeyPair>((resolve) => {
      const opened = indexedDB.open('test');
      opened.addEventListener('success', () => {
        const read: IDBRequest<CryptoKeyPair> = opened.result.transaction('keys').objectStore('keys').get('name');
        read.addEventListener('success', () => resolve(read.result));
      });
    });
    expect(stored.privateKey.extractable).toBe(false);
    await expect(globalThis.crypto.subtle.exportKey('jwk', stored.privateKey)).rejects.toThrow();
  });

  it('has no key where the page is not a secure context', async () => {
    const scope = () => ({ crypto: {} as Pick<Crypto, 'subtle'>, indexedDB: new IDBFactory() });
    expect(await new IndexedDbBindingKeys(scope, 'test').ensure('name')).toBeNull();
  });
});
