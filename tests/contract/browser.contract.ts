import type { BrowserPort } from '#application/ports/index.ts';
import { suite, thrownBy, type Disposable, type TestRunner } from './runner.ts';
import { UNSAFE_URLS } from './unsafe-urls.ts';

export interface BrowserHarness extends Disposable {
  /** A page at some address with a query. */
  readonly browser: BrowserPort;
  /** The same page's port again, as a second client of it has it. */
  readonly again: BrowserPort;
  /** The port of a page that nothing frames, and of one in a frame. */
  readonly onTop: BrowserPort;
  readonly framed: BrowserPort;
  /** Each makes the page wake in one of the ways that the platform has. */
  readonly wakes: readonly (() => void)[];
  readonly leave: () => void;
  /** Where the page was sent by `navigate`. */
  readonly navigations: () => readonly string[] | Promise<readonly string[]>;
  /** How many entries the page's history has. */
  readonly historyLength: () => number;
}

/** The contract of BrowserPort. */
export function browserContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => BrowserHarness | Promise<BrowserHarness>,
): void {
  const { expect } = runner;
  suite(runner, `BrowserPort: ${name}`, makeHarness, (test) => {
    test('reports the address, and of it the origin and host name', ({ browser }) => {
      const url = new URL(browser.href());
      expect([browser.origin, browser.hostname]).toEqual([url.origin, url.hostname]);
      expect(url.search === '').toBe(false);
    });

    test('reports an IANA time zone', ({ browser }) => {
      const format = new Intl.DateTimeFormat('en', { timeZone: browser.timezone });
      expect(format.resolvedOptions().timeZone).toBe(browser.timezone);
    });

    test('reports the browser’s own description', ({ browser }) => {
      expect([typeof browser.userAgent, browser.userAgent === '']).toEqual(['string', false]);
    });

    test('reports whether another page shows it in a frame', ({ onTop, framed }) => {
      expect([onTop.isFramed, framed.isFramed]).toEqual([false, true]);
    });

    test('reports whether a form’s fields may offer passkeys', ({ browser }) => {
      expect(typeof browser.mayAutofillPasskeys).toBe('boolean');
    });

    test('replaces the address without loading or adding to the history', async (harness) => {
      const { browser, navigations, historyLength } = harness;
      const [before, entries] = [new URL(browser.href()), historyLength()];
      browser.replaceUrl(before.pathname);
      expect(browser.href()).toBe(before.origin + before.pathname);
      expect(await navigations()).toEqual([]);
      expect(historyLength()).toBe(entries);
    });

    test('leaves the page for another address', async ({ browser, navigations }) => {
      browser.navigate('https://elsewhere.example/in?to=1');
      expect(await navigations()).toEqual(['https://elsewhere.example/in?to=1']);
      browser.navigate('http://localhost:3000/callback');
      expect(await navigations()).toEqual(['https://elsewhere.example/in?to=1', 'http://localhost:3000/callback']);
    });

    test('refuses with a RangeError to leave for what could run a script, name a user or has no valid host', async ({
      browser,
      navigations,
    }) => {
      for (const url of UNSAFE_URLS) {
        expect(thrownBy(() => browser.navigate(url)) instanceof RangeError).toBe(true);
      }
      expect(await navigations()).toEqual([]);
    });

    test('lets a name be claimed once in the page, until it is given up', ({ browser, again }) => {
      const give = browser.claim('a');
      expect([typeof give, browser.claim('a'), again.claim('a')]).toEqual(['function', null, null]);
      const other = again.claim('b');
      expect(typeof other).toBe('function');
      other?.();
      give?.();
      const next = again.claim('a');
      expect(typeof next).toBe('function');
      give?.();
      expect(browser.claim('a')).toBe(null);
      next?.();
    });

    test('emits once for each way in which the page wakes', ({ browser, wakes }) => {
      let woken = 0;
      const subscription = browser.wakes$.subscribe(() => (woken += 1));
      wakes.forEach((wake, index) => {
        wake();
        expect(woken).toBe(index + 1);
      });
      subscription.unsubscribe();
      for (const wake of wakes) wake();
      expect(woken).toBe(wakes.length);
    });

    test('emits when the page is being left, and does not take that for waking', ({ browser, leave }) => {
      let [left, woken] = [0, 0];
      const subscriptions = [
        browser.leaves$.subscribe(() => (left += 1)),
        browser.wakes$.subscribe(() => (woken += 1)),
      ];
      leave();
      for (const subscription of subscriptions) subscription.unsubscribe();
      leave();
      expect([left, woken]).toEqual([1, 0]);
    });
  });
}
