import { describe, expect, it } from 'vitest';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { MemoryStorage, StorageBus } from '#kit/ports/memory-storage.ts';

const SCOPE = { path: '/', domain: null, secure: true };

describe('FakeWorld', () => {
  it('shares storage and cookies between its tabs, but not tab storage, logs or ids', async () => {
    const world = new FakeWorld();
    const [one, two] = [world.tab('https://a.example/x'), world.tab()];
    one.storage.set('k', 'v');
    one.tabStorage.set('k', 'v');
    one.cookies.set('c', 'v', SCOPE, null);
    one.log.warn('mine');
    expect([two.storage.get('k'), two.tabStorage.get('k'), two.cookies.get('c')]).toEqual(['v', null, 'v']);
    expect([one.browser.origin, two.log.entries.length]).toEqual(['https://a.example', 0]);
    expect(one.crypto.uuid()).not.toBe(two.crypto.uuid());
  });

  it('lets its tabs share the outbox and the passkeys, and claim names each for itself', async () => {
    const world = new FakeWorld();
    const [one, two] = [world.tab(), world.tab()];
    await one.outbox.add('text');
    expect(await two.outbox.take(1)).toEqual(['text']);
    expect(one.webauthn.authenticator).toBe(two.webauthn.authenticator);
    expect([one.browser.claim('a') === null, two.browser.claim('a') === null]).toEqual([false, false]);
  });

  it('makes a tab wait for a lock that a frozen one holds, and no longer than its patience', async () => {
    const world = new FakeWorld();
    const release = world.lock.hold('n');
    let ran = 0;
    void world.tab().lock.run('n', 5_000, async () => (ran += 1));
    await world.clock.advance(4_999);
    expect(ran).toBe(0);
    await world.clock.advance(1);
    expect(ran).toBe(1);
    release();
  });

  it('forgets session cookies when the browser is closed', () => {
    const world = new FakeWorld();
    const tab = world.tab();
    tab.cookies.set('session', 'v', SCOPE, null);
    tab.cookies.set('kept', 'v', SCOPE, world.clock.now() + 60_000);
    world.jar.endSession();
    expect([tab.cookies.get('session'), tab.cookies.get('kept')]).toEqual([null, 'v']);
  });
});

describe('StorageBus', () => {
  it('delivers held events in the order of the writes', () => {
    const bus = new StorageBus();
    const [one, two] = [bus.tab(), bus.tab()];
    const heard: (string | null)[] = [];
    two.changes('k').subscribe((value) => heard.push(value));
    bus.hold();
    one.set('k', 'a');
    expect([two.get('k'), heard]).toEqual(['a', []]);
    bus.deliver();
    one.set('k', 'b');
    expect(heard).toEqual(['a', 'b']);
  });

  it('notifies every tab when the data is cleared', () => {
    const bus = new StorageBus();
    const tab = bus.tab();
    const heard: (string | null)[] = [];
    tab.set('k', 'v');
    tab.changes('k').subscribe((value) => heard.push(value));
    bus.clear();
    expect(heard).toEqual([null]);
  });

  it('keeps a key named like an object’s own business apart', () => {
    const storage = new MemoryStorage();
    expect(storage.get('__proto__')).toBeNull();
    storage.set('__proto__', 'v');
    expect([storage.get('__proto__'), storage.get('constructor')]).toEqual(['v', null]);
  });
});

describe('FakeCrypto', () => {
  it('answers the same for one seed and other values for another', () => {
    const first = new FakeCrypto(7).words(16).join();
    expect(new FakeCrypto(7).words(16).join()).toBe(first);
    expect(new FakeCrypto(8).words(16).join()).not.toBe(first);
  });
});
