/** Every suite that a real browser shows something with, on the real adapters. Declaring them needs no browser. */
import { HiddenForm } from '#infrastructure/browser/hidden-form.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { WebLocks } from '#infrastructure/browser/web-locks.ts';
import { WindowBrowser } from '#infrastructure/browser/window-browser.ts';
import { BrowserWebauthn } from '#infrastructure/passkeys/browser-webauthn.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';
import { WebStorage } from '#infrastructure/storage/web-storage.ts';
import { browserContract } from '../browser.contract.ts';
import { cookiesContract } from '../cookies.contract.ts';
import { cryptoContract } from '../crypto.contract.ts';
import { formPostContract } from '../form-post.contract.ts';
import { lockContract } from '../lock.contract.ts';
import { outboxContract } from '../outbox.contract.ts';
import { storageContract } from '../storage.contract.ts';
import { transportContract } from '../transport.contract.ts';
import { webauthnContract } from '../webauthn.contract.ts';
import type { TestRunner } from '../runner.ts';
import { ask, askAndWait, type Operations } from './bridge.ts';
import { declareScriptSuites } from './script-suites.ts';
import { delay, until } from './wait.ts';
import { declareWalletSuites } from './wallet-suites.ts';

let made = 0;
const fresh = (name: string): string => `${name} ${(made += 1)}`;

/** A frame of this origin, which can be sent away without losing this page. */
async function frame(path: string): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe');
  element.src = path;
  const loaded = new Promise((resolve) => {
    element.addEventListener('load', resolve, { once: true });
  });
  document.body.append(element);
  await loaded;
  return element;
}

const windowOf = (element: HTMLIFrameElement): Window & typeof globalThis =>
  element.contentWindow as Window & typeof globalThis;

function storage(runner: TestRunner): void {
  storageContract(runner, 'WebStorage on localStorage, between two tabs', async () => {
    localStorage.clear();
    await until(async () => (await ask('storage', 'get', 'k')) === null);
    const { setItem, removeItem } = Storage.prototype;
    return {
      here: new WebStorage(() => localStorage, window),
      elsewhere: {
        get: async (key) => ask('storage', 'get', key),
        set: async (key, value) => void (await ask('storage', 'set', key, value)),
        remove: async (key) => void (await ask('storage', 'remove', key)),
      },
      // Writes of a tab arrive in order: when a mark has arrived, so has what was written before it.
      heard: async () => {
        const mark = fresh('mark');
        await ask('storage', 'set', 'portico test, there', mark);
        await until(() => localStorage.getItem('portico test, there') === mark);
        setItem.call(localStorage, 'portico test, here', mark);
        await until(async () => (await ask('storage', 'get', 'portico test, here')) === mark);
      },
      refuse: () => {
        const refuse = (): never => {
          throw new DOMException('full', 'QuotaExceededError');
        };
        Object.assign(Storage.prototype, { setItem: refuse, removeItem: refuse });
      },
      dispose: () => void Object.assign(Storage.prototype, { setItem, removeItem }),
    };
  });
}

function cookies(runner: TestRunner): void {
  for (const secure of [false, true]) {
    cookiesContract(runner, `DocumentCookies on document.cookie, ${secure ? 'secure' : 'insecure'}`, async () => {
      await ask('cookies', 'clear');
      let offset = 0;
      const clock = { now: () => Date.now() + offset };
      return {
        here: new DocumentCookies(document, clock),
        elsewhere: new DocumentCookies(document, clock),
        scope: { path: '/', domain: null, secure },
        now: () => Date.now(),
        // No browser lets its cookies' time run faster: they are aged instead.
        pass: async (ms) => {
          offset += ms;
          await ask('cookies', 'age', ms);
        },
        block: async () => void (await ask('cookies', 'block')),
        dispose: async () => void [await ask('cookies', 'unblock'), await ask('cookies', 'clear')],
      };
    });
  }
}

function locks(runner: TestRunner): void {
  lockContract(runner, 'WebLocks on navigator.locks, of two pages', async () => {
    const clock = new VirtualClock();
    const other = await frame('/blank');
    const locks = [navigator.locks, windowOf(other).navigator.locks] as const;
    // The browser answers the requests of a page in their order, so an answer comes after every lock that was granted before.
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) {
        await Promise.all(locks.map(async (each) => each.query()));
        await delay(0);
      }
    };
    return {
      tabs: [new WebLocks(locks[0], clock), new WebLocks(locks[1], clock)],
      pass: async (ms) => {
        await settle();
        await clock.advance(ms);
        await settle();
      },
      dispose: () => other.remove(),
    };
  });
}

function transport(runner: TestRunner): void {
  transportContract(runner, 'KyTransport on fetch', async () => {
    await ask('cookies', 'clear');
    await ask('forget');
    return {
      transport: new KyTransport(window),
      url: `${location.origin}/anything`,
      serve: (answer) => void askAndWait('serve', answer),
      received: () => askAndWait('received'),
      setCookie: (value) => void (document.cookie = `kept=${value}; Path=/`),
      dispose: async () => void (await ask('cookies', 'clear')),
    };
  });
}

/** A frame with a page that can be left, and what it was left for. */
async function leavableFrame() {
  await ask('forget');
  const element = await frame('/blank?token=t&stytch_token_type=magic_links');
  const inner = windowOf(element);
  let begun = 0;
  inner.addEventListener('beforeunload', () => (begun += 1));
  const left = async (): Promise<ReturnType<Operations['left']>> => {
    // Long enough for the page to begin to leave; then as long as it takes.
    await delay(40);
    let seen = await ask('left');
    await until(async () => {
      seen = await ask('left');
      return seen.navigations.length + seen.posted.length >= begun;
    });
    return seen;
  };
  return { inner, left, dispose: () => element.remove() };
}

function browser(runner: TestRunner): void {
  browserContract(runner, 'WindowBrowser on a frame’s window', async () => {
    const { inner, left, dispose } = await leavableFrame();
    return {
      browser: new WindowBrowser(inner),
      again: new WindowBrowser(inner),
      onTop: new WindowBrowser(window),
      framed: new WindowBrowser(inner),
      wakes: [
        () => inner.document.dispatchEvent(new Event('visibilitychange')),
        () => inner.dispatchEvent(new inner.PageTransitionEvent('pageshow', { persisted: true })),
        () => inner.dispatchEvent(new Event('online')),
      ],
      leave: () => inner.dispatchEvent(new inner.PageTransitionEvent('pagehide')),
      navigations: async () => (await left()).navigations,
      historyLength: () => inner.history.length,
      dispose,
    };
  });
}

function formPost(runner: TestRunner): void {
  formPostContract(runner, 'HiddenForm on a frame’s document', async () => {
    const { inner, left, dispose } = await leavableFrame();
    return {
      formPost: new HiddenForm(inner.document),
      posted: async () => (await left()).posted,
      leftovers: () => inner.document.querySelectorAll('form, input').length,
      dispose,
    };
  });
}

function webauthn(runner: TestRunner): void {
  webauthnContract(runner, 'BrowserWebauthn on a virtual authenticator', async () => {
    await ask('authenticator', 'fresh');
    const without = { navigator: {}, document } as unknown as Window;
    const inputs: Element[] = [];
    return {
      webauthn: new BrowserWebauthn(window),
      again: new BrowserWebauthn(window),
      unsupported: new BrowserWebauthn(without),
      rpId: location.hostname,
      hold: async () => void (await ask('authenticator', 'hold')),
      refuse: async () => void (await ask('authenticator', 'refuse')),
      count: async () => ask('authenticator', 'count'),
      names: async () => ask('passkeyNames'),
      showInput: (autocomplete, deep) => {
        const input = document.createElement('input');
        input.setAttribute('autocomplete', autocomplete);
        const nest = (child: Element): Element => {
          const host = document.createElement('div');
          host.attachShadow({ mode: 'open' }).append(child);
          return host;
        };
        const element = deep ? nest(nest(input)) : input;
        document.body.append(element);
        inputs.push(element);
      },
      dispose: () => inputs.forEach((element) => element.remove()),
    };
  });
}

function outbox(runner: TestRunner): void {
  outboxContract(runner, 'IndexedDbOutbox on IndexedDB, between two tabs', () => {
    const name = fresh('outbox');
    let isRefused = false;
    const factory = (): IDBFactory => {
      if (isRefused) throw new DOMException('forbidden', 'SecurityError');
      return indexedDB;
    };
    return {
      here: new IndexedDbOutbox(factory, name),
      elsewhere: {
        add: async (text) => ask('add', name, text),
        take: async (count) => ask('take', name, count),
      },
      refuse: () => void (isRefused = true),
    };
  });
}

/** Declares all of them. */
export function declareSuites(runner: TestRunner): void {
  storage(runner);
  cookies(runner);
  locks(runner);
  transport(runner);
  browser(runner);
  formPost(runner);
  webauthn(runner);
  outbox(runner);
  cryptoContract(runner, 'WebCrypto on crypto', () => ({ crypto: new WebCrypto(crypto) }));
  declareScriptSuites(runner);
  declareWalletSuites(runner);
}
