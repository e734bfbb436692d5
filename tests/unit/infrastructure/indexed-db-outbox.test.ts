import { IDBDatabase, IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';

const deleted = async (factory: IDBFactory, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error as Error));
  });

describe('IndexedDbOutbox', () => {
  it('connects on the first call, and once', async () => {
    const factory = new IDBFactory();
    const open = vi.spyOn(factory, 'open');
    const outbox = new IndexedDbOutbox(() => factory, 'o');
    expect(open).not.toHaveBeenCalled();
    await Promise.all([outbox.add('a'), outbox.add('b'), outbox.take(1)]);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('lets its database be deleted, and makes a new one', async () => {
    const factory = new IDBFactory();
    const outbox = new IndexedDbOutbox(() => factory, 'o');
    await outbox.add('gone');
    await deleted(factory, 'o');
    expect(await outbox.add('new')).toBe(true);
    expect(await outbox.take(9)).toEqual(['new']);
  });

  it('tries again after a failure: to connect, or to write', async () => {
    const factory = new IDBFactory();
    let refuses = true;
    const outbox = new IndexedDbOutbox(() => {
      if (refuses) throw new DOMException('forbidden', 'SecurityError');
      return factory;
    }, 'o');
    expect([await outbox.add('a'), await outbox.take(1)]).toEqual([false, []]);
    refuses = false;
    expect(await outbox.add('a')).toBe(true);
    const database = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('closing', 'InvalidStateError');
    });
    expect(await outbox.add('b')).toBe(false);
    database.mockRestore();
    expect(await outbox.add('c')).toBe(true);
    expect(await outbox.take(9)).toEqual(['a', 'c']);
  });

  it('stores nothing when the database has another version', async () => {
    const factory = new IDBFactory();
    await new Promise((resolve) => factory.open('o', 7).addEventListener('success', resolve));
    const outbox = new IndexedDbOutbox(() => factory, 'o');
    expect([await outbox.add('a'), await outbox.take(1)]).toEqual([false, []]);
  });
});
