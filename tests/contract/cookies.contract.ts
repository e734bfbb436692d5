import type { CookieScope, CookiesPort } from '#application/ports/index.ts';
import { suite, thrownBy, type Disposable, type TestRunner } from './runner.ts';

export interface CookiesHarness extends Disposable {
  /** One tab's cookies, none yet. */
  readonly here: CookiesPort;
  /** The same cookies in another tab. */
  readonly elsewhere: CookiesPort;
  /** A scope that holds on this page. */
  readonly scope: CookieScope;
  readonly now: () => number;
  /** Lets time pass. */
  readonly pass: (ms: number) => void | Promise<void>;
  /** Makes the browser keep no cookie from now on. */
  readonly block: () => void | Promise<void>;
}

const VALUES = [
  '',
  'plain',
  'a=b',
  'a; b=c',
  '"quoted"',
  'sp ace, comma',
  '100%',
  '%zz',
  '%41',
  'line\r\nbreak\u0000',
  'ü 🗝️',
];
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** The contract of CookiesPort. */
export function cookiesContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => CookiesHarness | Promise<CookiesHarness>,
): void {
  const { expect } = runner;
  suite(runner, `CookiesPort: ${name}`, makeHarness, (test) => {
    test('answers null for a cookie that is not there', ({ here }) => {
      expect(here.get('absent')).toBe(null);
    });

    test('answers the value as it was set, whatever characters it holds', ({ here, scope }) => {
      for (const value of VALUES) {
        here.set('c', value, scope, null);
        expect(here.get('c')).toBe(value);
      }
    });

    test('answers an emoji’s lone half as it was set, in this page', ({ here, scope }) => {
      here.set('c', 'a\ud83d', scope, null);
      expect(here.get('c')).toBe('a\ud83d');
    });

    test('compares names exactly', ({ here, scope }) => {
      for (const name of ['session', 'session_jwt', 'my_session', 'SESSION']) here.set(name, `of ${name}`, scope, null);
      expect(here.get('session')).toBe('of session');
      expect(here.get('SESSION')).toBe('of SESSION');
      expect(here.get('jwt')).toBe(null);
      expect(here.get('session.jwt')).toBe(null);
    });

    test('lists the values of a name, if the adapter can', ({ here, elsewhere, scope }) => {
      if (here.all === undefined) return;
      expect(here.all('absent')).toEqual([]);
      here.set('c', 'v', scope, null);
      expect([here.all('c'), elsewhere.all?.('c')]).toEqual([['v'], ['v']]);
      here.remove('c', scope);
      expect(here.all('c')).toEqual([]);
    });

    test('shares cookies with other tabs', ({ here, elsewhere, scope }) => {
      here.set('c', 'v', scope, null);
      expect(elsewhere.get('c')).toBe('v');
    });

    test('keeps a cookie until it expires, and no longer', async ({ here, scope, now, pass }) => {
      here.set('c', 'v', scope, Math.ceil(now() / 1000) * 1000 + 60_000);
      await pass(59_000);
      expect(here.get('c')).toBe('v');
      await pass(2_000);
      expect(here.get('c')).toBe(null);
    });

    test('keeps a cookie without an expiry as long as the browser runs', async ({ here, scope, pass }) => {
      here.set('c', 'v', scope, null);
      await pass(YEAR_MS);
      expect(here.get('c')).toBe('v');
    });

    test('keeps nothing that has expired already', ({ here, scope, now }) => {
      here.set('c', 'old', scope, null);
      here.set('c', 'new', scope, now() - 1_000);
      expect(here.get('c')).toBe(null);
    });

    test('removes what was set in the same scope, and lets an absent cookie be removed', ({
      here,
      elsewhere,
      scope,
    }) => {
      here.set('c', 'v', scope, null);
      here.remove('c', scope);
      here.remove('c', scope);
      expect([here.get('c'), elsewhere.get('c')]).toEqual([null, null]);
    });

    test('leaves no older value to servers and other tabs when a new one is too long for a cookie', ({
      here,
      elsewhere,
      scope,
    }) => {
      const long = 'x'.repeat(5_000);
      here.set('c', 'old', scope, null);
      here.set('c', long, scope, null);
      expect([here.get('c'), elsewhere.get('c')]).toEqual([long, null]);
      here.set('c', 'short', scope, null);
      expect([here.get('c'), elsewhere.get('c')]).toEqual(['short', 'short']);
    });

    test('degrades to memory when cookies are blocked, expiry included', async ({ here, scope, now, pass, block }) => {
      await block();
      here.set('c', 'v', scope, null);
      here.set('short', 'v', scope, now() + 60_000);
      expect([here.get('c'), here.get('short')]).toEqual(['v', 'v']);
      here.remove('c', scope);
      expect(here.get('c')).toBe(null);
      await pass(61_000);
      expect(here.get('short')).toBe(null);
    });

    test('refuses names, paths and domains that could contain attributes', ({ here, scope }) => {
      for (const bad of ['a; Domain=evil.example', 'a=b', 'a\r\nSet-Cookie: b', 'a\u0000', 'a\u007f']) {
        for (const [name, at] of [
          [bad, scope],
          ['c', { ...scope, path: `/${bad}` }],
          ['c', { ...scope, domain: bad }],
        ] as const) {
          expect(thrownBy(() => here.set(name, 'v', at, null)) instanceof TypeError).toBe(true);
          expect(thrownBy(() => here.remove(name, at)) instanceof TypeError).toBe(true);
        }
      }
      expect(thrownBy(() => here.set('', 'v', scope, null)) instanceof TypeError).toBe(true);
      expect(here.get('c')).toBe(null);
    });
  });
}
