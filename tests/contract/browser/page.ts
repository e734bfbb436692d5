/** What runs in the browser: the suites' cases, one by one on request, and this tab's half of what two tabs do. */
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { WebLocks } from '#infrastructure/browser/web-locks.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';
import { collect } from './cases.ts';
import { declareSuites } from './suites.ts';

const cases = collect(declareSuites);
const violations: string[] = [];
const outboxes = new Map<string, IndexedDbOutbox>();

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  violations.push(`${violatedDirective} ${blockedURI}`);
});

function outbox(name: string): IndexedDbOutbox {
  const one = outboxes.get(name) ?? new IndexedDbOutbox(() => indexedDB, name);
  outboxes.set(name, one);
  return one;
}

const contracts = {
  /** What went wrong, or null. */
  run: async (index: number): Promise<string | null> => {
    try {
      await cases[index]?.run();
      return null;
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  },
  violations: () => violations,
  storage: (action: 'get' | 'set' | 'remove', key: string, value = '') => {
    if (action === 'get') return localStorage.getItem(key);
    if (action === 'set') localStorage.setItem(key, value);
    else localStorage.removeItem(key);
    return null;
  },
  add: async (name: string, text: string) => outbox(name).add(text),
  take: async (name: string, count: number) => outbox(name).take(count),
  /** Leaves the page, and writes and sends something in its last moment. */
  leave: (url: string, name: string) => {
    addEventListener('pagehide', () => {
      void outbox(name).add('written while leaving');
      const request = { method: 'POST', headers: {}, body: 'sent while leaving', keepalive: true } as const;
      new KyTransport(window).send({ ...request, url }).catch(() => undefined);
    });
    location.assign('/blank');
  },
  /** Runs a task under a lock, with so much patience; answers how long that took. */
  locked: async (name: string, patienceMs: number) => {
    const from = performance.now();
    await new WebLocks(navigator.locks, new SystemClock(window)).run(name, patienceMs, async () => undefined);
    return performance.now() - from;
  },
  /** Holds a lock until the tab closes. */
  freeze: (name: string) =>
    new Promise<void>((resolve) => {
      void navigator.locks.request(name, async () => {
        resolve();
        return new Promise(() => undefined);
      });
    }),
};

export type Contracts = typeof contracts;

Object.assign(window, { contracts });
