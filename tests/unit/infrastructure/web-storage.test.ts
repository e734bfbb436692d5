import { describe, expect, it } from 'vitest';
import { WebStorage } from '#infrastructure/storage/web-storage.ts';
import { StorageBrowser, type Fault, type StorageTab } from './support/storage-browser.ts';

function open(): { browser: StorageBrowser; tab: StorageTab; other: StorageTab; storage: WebStorage } {
  const browser = new StorageBrowser();
  const [tab, other] = [browser.tab(), browser.tab()];
  return { browser, tab, other, storage: new WebStorage(() => tab.area(), tab) };
}

const MODES: Readonly<Record<string, Fault>> = {
  'whose getter throws a SecurityError': (action) => (action === 'area' ? 'throw' : null),
  'that is null': (action) => (action === 'area' ? 'ignore' : null),
  'whose setItem throws a QuotaExceededError': (action) => (action === 'setItem' ? 'throw' : null),
  'that ignores setItem': (action) => (action === 'setItem' ? 'ignore' : null),
  'that ignores removeItem': (action) => (action === 'removeItem' ? 'ignore' : null),
  'whose getItem throws': (action) => (action === 'getItem' ? 'throw' : null),
  'that always answers null': (action) => (action === 'getItem' ? 'ignore' : null),
  'that throws at everything': () => 'throw',
};

describe('WebStorage', () => {
  for (const [mode, fault] of Object.entries(MODES)) {
    it(`keeps a page's own values on a store ${mode}`, () => {
      const { tab, storage } = open();
      storage.set('before', 'kept');
      tab.fault = fault;
      expect(storage.get('absent')).toBeNull();
      storage.set('k', 'first');
      storage.set('k', 'second');
      expect(storage.get('k')).toBe('second');
      storage.remove('k');
      expect(storage.get('k')).toBeNull();
      storage.set('before', 'new');
      expect(storage.get('before')).toBe('new');
      tab.dispatch(null);
    });
  }

  it('keeps a value whichever call is the one that fails', () => {
    for (let failing = 1; failing <= 12; failing += 1) {
      const { tab, storage } = open();
      storage.set('k', 'old');
      let calls = 0;
      tab.fault = () => ((calls += 1) === failing ? 'throw' : null);
      storage.set('k', 'new');
      expect([failing, storage.get('k'), storage.get('k')]).toEqual([failing, 'new', 'new']);
    }
  });

  it('returns null for a value that was removed from the store', () => {
    const { browser, storage } = open();
    storage.set('k', 'v');
    browser.values.clear();
    expect(storage.get('k')).toBeNull();
  });

  it('lets what another tab wrote later win over its own unsaved value, without a word from the browser', () => {
    const { tab, browser, storage } = open();
    tab.fault = (action) => (action === 'setItem' ? 'throw' : null);
    storage.set('k', 'mine');
    expect(storage.get('k')).toBe('mine');
    browser.values.set('k', 'theirs');
    expect(storage.get('k')).toBe('theirs');
  });

  it('trusts the store and not the value of an event', () => {
    const { browser, tab, storage } = open();
    const seen: (string | null)[] = [];
    storage.changes('k').subscribe((value) => seen.push(value));
    browser.values.set('k', 'true');
    const forged = { key: 'k', newValue: 'forged' };
    tab.dispatch(forged.key);
    expect(seen).toEqual(['true']);
  });

  it('ignores events of another storage area, of none, and of other keys', () => {
    const { browser, tab, storage } = open();
    const seen: (string | null)[] = [];
    storage.changes('k').subscribe((value) => seen.push(value));
    browser.values.set('k', 'v');
    tab.dispatch('k', {});
    tab.dispatch('k', null);
    tab.dispatch('K');
    tab.dispatch('');
    expect(seen).toEqual([]);
  });

  it('ignores every event while it has no area, also one that names none', () => {
    const { tab, storage } = open();
    const seen: (string | null)[] = [];
    storage.changes('k').subscribe((value) => seen.push(value));
    for (const fault of ['throw', 'ignore'] as const) {
      tab.fault = (action) => (action === 'area' ? fault : null);
      tab.dispatch('k', null);
      tab.dispatch(null, null);
      tab.dispatch('k');
    }
    expect(seen).toEqual([]);
  });

  it('emits null when another tab clears everything', () => {
    const { browser, storage } = open();
    const seen: (string | null)[] = [];
    storage.set('k', 'mine');
    storage.changes('k').subscribe((value) => seen.push(value));
    browser.values.clear();
    browser.announce(null, null);
    expect(seen).toEqual([null]);
  });

  it('emits another tab’s value again when that tab wrote what this one once wrote', () => {
    const { other, storage } = open();
    const theirs = new WebStorage(() => other.area(), other);
    const seen: (string | null)[] = [];
    storage.changes('k').subscribe((value) => seen.push(value));
    storage.set('k', 'a');
    theirs.set('k', 'b');
    theirs.set('k', 'a');
    expect(seen).toEqual(['b', 'a']);
  });

  it('listens only while someone subscribes', () => {
    const { tab, storage } = open();
    const subscription = storage.changes('k').subscribe();
    expect(tab.listening).toBe(1);
    subscription.unsubscribe();
    expect(tab.listening).toBe(0);
  });

  it('listens to other objects of the page only while someone subscribes', async () => {
    const { tab } = open();
    let reads = 0;
    const counted = new WebStorage(() => {
      reads += 1;
      return tab.area();
    }, tab);
    const subscription = counted.changes('k').subscribe();
    const write = async (value: string): Promise<number> => {
      reads = 0;
      new WebStorage(() => tab.area(), tab).set('k', value);
      await Promise.resolve();
      return reads;
    };
    expect(await write('a')).toBeGreaterThan(0);
    subscription.unsubscribe();
    expect(await write('b')).toBe(0);
  });
});
