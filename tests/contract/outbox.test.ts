import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { MemoryOutbox } from '#kit/ports/memory-outbox.ts';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';
import { outboxContract } from './outbox.contract.ts';

const runner = { describe, it, expect };

outboxContract(runner, 'MemoryOutbox', () => {
  const outbox = new MemoryOutbox();
  return { here: outbox, elsewhere: outbox, refuse: () => void (outbox.full = true) };
});

outboxContract(runner, 'IndexedDbOutbox on a stand-in of IndexedDB', () => {
  let factory: IDBFactory | null = new IDBFactory();
  const [here, elsewhere] = [0, 1].map(() => new IndexedDbOutbox(() => factory, 'test'));
  return { here: here!, elsewhere: elsewhere!, refuse: () => void (factory = null) };
});
