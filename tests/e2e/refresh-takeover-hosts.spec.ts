/**
 * Two hosts of one site, whose pages share one session in HttpOnly cookies. Locks and storage belong to an origin, so each host elects a
 * tab of its own, and the server answers every refresh of a session alike.
 */
import type { Page } from '@playwright/test';
import { SOAK } from '../soak.ts';
import { expect } from './fixtures.ts';
import type { Tab, TabGroup } from './tab-group.ts';
import { HAS_PROC } from './tab-process.ts';
import {
  expectTakeover,
  freeze,
  kill,
  playRounds,
  ROUNDS_TIMEOUT_MS,
  thaw,
  withMortalTabs,
  type Rounds,
} from './takeover-rounds.ts';
import { cookieOf, DOMAIN, test } from './two-hosts.ts';

const [APP, WWW] = [`app.${DOMAIN}`, `www.${DOMAIN}`];
const GROUPS = 2;

test.use({
  launchOptions: async ({ browserName, launchOptions }, use) => use(withMortalTabs(browserName, launchOptions)),
});

test.skip(!HAS_PROC, 'needs /proc, to find the process of a tab');

function play(title: string, hosts: readonly string[], count: number, round: Rounds['round']): void {
  test(
    `${title} (${SOAK ? count : 1})`,
    { tag: ['@soak', '@every'] },
    async ({ browser, providerUrl, demoPath, inbox }) => {
      test.setTimeout(ROUNDS_TIMEOUT_MS);
      const place = { providerUrl, demoPath, hosts, apiHost: `api.${DOMAIN}` };
      await playRounds({ browser, inbox, place }, { count, groups: GROUPS, round });
    },
  );
}

const sessionId = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () =>
      (
        window as unknown as { __demo: { client: { session: { getSync(): { session_id: string } | null } } } }
      ).__demo.client.session.getSync()?.session_id,
  );

/** Both hosts ask at the same moment: one cannot know of the other. */
function expectAsking({ counter, origins }: TabGroup): void {
  expect(origins.map((origin) => counter.of(origin))).toEqual(origins.map(() => ({ asked: 1, open: 1, most: 1 })));
}

/** The refreshes of each host in this cycle; each had at most one open at a time. */
function expectAsked({ counter, origins }: TabGroup, asked: readonly number[]): void {
  expect(origins.map((origin) => counter.of(origin))).toEqual(
    asked.map((count) => ({ asked: count, open: 0, most: 1 })),
  );
}

/** Every tab has the one session, and the cookies of the browser are good for a page that opens anew. */
async function expectOneSession(group: TabGroup, ...except: readonly Tab[]): Promise<void> {
  await group.expectRest(...except);
  const ids = await Promise.all(group.pagesBut(...except).map(sessionId));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^session-/u);
  expect(await cookieOf(group.context, 'stytch_session_jwt')).toMatchObject({ httpOnly: true });
}

interface Fault {
  readonly name: string;
  readonly count: number;
  readonly strike: (tab: Tab) => unknown;
  readonly undo?: (tab: Tab) => unknown;
}

const FAULTS: readonly Fault[] = [
  { name: 'is killed', count: 10, strike: kill },
  { name: 'is frozen', count: 10, strike: freeze, undo: thaw },
];

for (const { name, count, strike, undo } of FAULTS) {
  const title = `another tab of the same host takes over when the one that refreshes ${name}, and the other host asks once`;
  play(title, [APP, APP, WWW, WWW], count, async (group) => {
    const { counter, origins } = group;
    const elected = await group.elect();
    expectAsking(group);
    let ms = 0;
    try {
      await strike(elected);
      counter.release();
      ms = await expectTakeover(counter.of(origins[0] ?? ''));
      await expectOneSession(group, elected);
      expectAsked(group, [2, 1]);
    } finally {
      undo?.(elected);
    }
    if (undo === undefined) await group.replace(elected);
    await expectOneSession(group);
    if (undo !== undefined) expectAsked(group, [2, 1]);
    return ms;
  });
}

for (const { name, count, strike, undo } of FAULTS) {
  const title = `the session goes on at the other host when the only tab of one ${name} while it refreshes`;
  play(title, [APP, WWW], count, async (group) => {
    const { counter, origins } = group;
    const elected = await group.elect();
    expectAsking(group);
    const struck = Date.now();
    let ms = 0;
    try {
      await strike(elected);
      counter.release();
      await expect.poll(() => counter.of(origins[1] ?? '').open, { intervals: [20] }).toBe(0);
      ms = Date.now() - struck;
      await expectOneSession(group, elected);
      await expect.poll(() => counter.counts.open).toBe(0);
      expectAsked(group, [1, 1]);
    } finally {
      undo?.(elected);
    }
    if (undo === undefined) await group.replace(elected);
    await expectOneSession(group);
    return ms;
  });
}

play(
  'each of two hosts asks again, once, when the network is lost during their refreshes and returns',
  [APP, APP, WWW, WWW],
  6,
  async (group) => {
    const { counter, context, origins } = group;
    await group.elect();
    await context.setOffline(true);
    counter.cut();
    counter.release();
    await expect.poll(() => counter.counts.open).toBe(0);
    await context.setOffline(false);
    const times = await Promise.all(origins.map((origin) => expectTakeover(counter.of(origin))));
    await expectOneSession(group);
    expectAsked(group, [2, 2]);
    return Math.max(...times);
  },
);
