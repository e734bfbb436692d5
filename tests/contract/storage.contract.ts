import type { StoragePort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export type { TestRunner } from './runner.ts';

type MaybePromise<T> = T | Promise<T>;

/** Another tab, which may be another process. */
export interface StorageElsewhere {
  get(key: string): MaybePromise<string | null>;
  set(key: string, value: string): MaybePromise<void>;
  remove(key: string): MaybePromise<void>;
}

export interface StorageHarness extends Disposable {
  /** One tab's storage, empty. */
  readonly here: StoragePort;
  /** The same store in another tab. */
  readonly elsewhere: StorageElsewhere;
  /** Resolves when each tab has heard of what the other wrote. */
  readonly heard: () => void | Promise<void>;
  /** Makes the store refuse every write from now on. */
  readonly refuse: () => void;
}

const VALUES = [
  '',
  ' ',
  'plain',
  '{"a":[1,null,"ü"]}',
  'a=b; c,d%20%',
  '\u0000\n\r\t',
  '🗝️ العربية',
  'x'.repeat(10_000),
];
const KEYS = ['k', 'portico::k', 'length', 'getItem', ''];

/** The contract of StoragePort. */
export function storageContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => StorageHarness | Promise<StorageHarness>,
): void {
  const { expect } = runner;
  suite(runner, `StoragePort: ${name}`, makeHarness, (test) => {
    test('answers null for a key never set', ({ here }) => {
      for (const key of KEYS) expect(here.get(key)).toBe(null);
    });

    test('answers null for a key since removed, and lets an absent one be removed', ({ here }) => {
      here.set('k', 'v');
      here.remove('k');
      here.remove('k');
      expect(here.get('k')).toBe(null);
    });

    test('answers the value as it was set, whatever characters it holds', ({ here }) => {
      for (const value of VALUES) {
        here.set('k', value);
        expect(here.get('k')).toBe(value);
      }
    });

    test('keeps keys apart, also those that name an object’s own business', ({ here }) => {
      for (const key of KEYS) here.set(key, `of ${key}`);
      expect(KEYS.map((key) => here.get(key))).toEqual(KEYS.map((key) => `of ${key}`));
    });

    test('keeps values outside of the page: another tab reads them', async ({ here, elsewhere, heard }) => {
      here.set('k', 'v');
      await heard();
      expect(await elsewhere.get('k')).toBe('v');
    });

    test('emits what another tab wrote, and null when it removed it', async ({ here, elsewhere, heard }) => {
      const seen: (string | null)[] = [];
      const subscription = here.changes('k').subscribe((value) => seen.push(value));
      await elsewhere.set('k', 'theirs');
      await heard();
      await elsewhere.remove('k');
      await heard();
      subscription.unsubscribe();
      expect(seen).toEqual(['theirs', null]);
    });

    test('emits nothing of what this tab wrote', async ({ here, elsewhere, heard }) => {
      const seen: (string | null)[] = [];
      const subscription = here.changes('k').subscribe((value) => seen.push(value));
      here.set('k', 'mine');
      await heard();
      here.remove('k');
      await heard();
      await elsewhere.set('k', 'theirs');
      here.set('k', 'mine again');
      await heard();
      subscription.unsubscribe();
      expect(seen.filter((value) => value !== 'theirs')).toEqual([]);
    });

    test('emits to every subscriber of the key, and to no other', async ({ here, elsewhere, heard }) => {
      const seen: string[] = [];
      const subscriptions = [
        here.changes('k').subscribe((value) => seen.push(`first ${value}`)),
        here.changes('k').subscribe((value) => seen.push(`second ${value}`)),
        here.changes('other').subscribe((value) => seen.push(`other ${value}`)),
      ];
      await elsewhere.set('k', 'v');
      await heard();
      for (const subscription of subscriptions) subscription.unsubscribe();
      expect(seen).toEqual(['first v', 'second v']);
    });

    test('emits nothing once unsubscribed', async ({ here, elsewhere, heard }) => {
      const seen: (string | null)[] = [];
      here
        .changes('k')
        .subscribe((value) => seen.push(value))
        .unsubscribe();
      await elsewhere.set('k', 'theirs');
      await heard();
      expect(seen).toEqual([]);
    });

    test('degrades to memory when the store refuses: set, read and remove go on here', async (harness) => {
      const { here, elsewhere, heard, refuse } = harness;
      here.set('old', 'before');
      refuse();
      here.set('k', 'v');
      here.set('old', 'after');
      expect([here.get('k'), here.get('old')]).toEqual(['v', 'after']);
      here.remove('k');
      here.remove('old');
      expect([here.get('k'), here.get('old')]).toEqual([null, null]);
      await heard();
      expect(await elsewhere.get('k')).toBe(null);
    });
  });
}
