import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './cases.ts';
import { Chromium } from './chromium.ts';
import { declareSuites } from './suites.ts';
import { SOAK } from '../../soak.ts';

let chromium: Chromium;

beforeAll(async () => {
  chromium = await Chromium.start();
});

afterAll(async () => {
  await chromium?.stop();
});

/** All in soaks, else the first of each suite, and every twelfth one: `*.test.ts` beside this folder play all on the same code. */
const cases = collect(declareSuites)
  .map((one, index) => ({ ...one, index }))
  .filter(({ suite }, at, all) => SOAK || at % 12 === 0 || all[at - 1]?.suite !== suite);

for (const suite of new Set(cases.map((one) => one.suite))) {
  describe(`${suite}, in Chromium`, () => {
    for (const { name, index } of cases.filter((one) => one.suite === suite)) {
      it(name, async () => {
        expect(await chromium.run(index)).toBe(null);
      });
    }
  });
}

describe('A page that is being left, in Chromium', () => {
  it('still sends a request with keepalive, and keeps what it put into the outbox', async () => {
    const [tab, other] = [await chromium.open(), await chromium.open()];
    // The outbox is open by then, as it is in a page that has logged anything.
    await tab.call('add', 'leaving', 'written before');
    await tab.call('leave', `${chromium.origin.url}/farewell`, 'leaving');
    await expect.poll(() => chromium.origin.farewells).toEqual(['sent while leaving']);
    expect(await other.call('take', 'leaving', 9)).toEqual(['written before', 'written while leaving']);
  });
});

describe('A lock that a frozen tab holds, in Chromium', () => {
  it('delays another tab by its patience, and is free when the tab closes', async () => {
    const [frozen, other] = [await chromium.open(), await chromium.open()];
    await frozen.call('freeze', 'frozen');
    // The browser rounds its clock.
    expect(Math.ceil(await other.call('locked', 'frozen', 300))).toBeGreaterThanOrEqual(300);
    await frozen.page.close();
    // Longer than a test may take: only a free lock is had before.
    await other.call('locked', 'frozen', 3_600_000);
  });
});

describe('The page’s Content-Security-Policy, in Chromium', () => {
  it('is kept by every adapter', async () => {
    expect(await chromium.violations()).toEqual([]);
  });
});
