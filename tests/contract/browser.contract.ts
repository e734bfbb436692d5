import type { BrowserPort } from '../../src/application/ports/index.ts';
import { suite, thrownBy, type Disposable, type TestRunner } from './runner.ts';

export interface BrowserHarness extends Disposable {
  /** A page at some address with a query. */
  readonly browser: BrowserPort;
  /** Each makes the page wake in one of the ways that the platform has. */
  readonly wakes: readonly (() => void)[];
  readonly leave: () => void;
  /** Where the page was sent. */
  readonly navigations: () => readonly string[];
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
    test('tells the address, and of it the origin and host name', ({ browser }) => {
      const url = new URL(browser.href());
      expect([browser.origin, browser.hostname]).toEqual([url.origin, url.hostname]);
      expect(url.search === '').toBe(false);
    });

    test('tells an IANA time zone', ({ browser }) => {
      const format = new Intl.DateTimeFormat('en', { timeZone: browser.timezone });
      expect(format.resolvedOptions().timeZone).toBe(browser.timezone);
    });

    test('replaces the address without loading or adding to the history', ({ browser, navigations, historyLength }) => {
      const [before, entries] = [new URL(browser.href()), historyLength()];
      browser.replaceUrl(before.pathname);
      expect(browser.href()).toBe(before.origin + before.pathname);
      expect(navigations()).toEqual([]);
      expect(historyLength()).toBe(entries);
    });

    test('leaves the page for another address', ({ browser, navigations }) => {
      browser.navigate('https://elsewhere.example/in?to=1#there');
      browser.navigate('http://localhost:3000/callback');
      expect(navigations()).toEqual(['https://elsewhere.example/in?to=1#there', 'http://localhost:3000/callback']);
    });

    test('refuses with a RangeError to leave for what could run a script or name a user', ({
      browser,
      navigations,
    }) => {
      const refused = [
        'javascript:alert(1)',
        ' \tJaVaScRiPt:alert(1)',
        'data:text/html,x',
        'blob:https://a.example/x',
        'http://elsewhere.example/',
        'https://user:pass@elsewhere.example/',
        '//elsewhere.example/',
        '/relative',
        '',
      ];
      for (const url of refused) expect(thrownBy(() => browser.navigate(url)) instanceof RangeError).toBe(true);
      expect(navigations()).toEqual([]);
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
