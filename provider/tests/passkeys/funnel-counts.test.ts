import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FunnelCounts, readFunnel } from '#provider/accounts/passkeys/funnel-counts.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';
import { createApp } from '#provider/operation/app.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { basic, EITHER_DATABASE, makeProvider, MINUTE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SOAK } from '#tests/soak.ts';

const DAY = 24 * 60 * MINUTE;
const NEVER_MS = 3_600_000;
const ROUNDS = SOAK ? 300 : 5;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const EDGE: BrowserFamily = { browser: 'Edge', mobile: false };
const NONE = { offered: 0, made: 0, used: 0, failed: 0 };
const unexpected = (error: unknown): never => {
  throw error;
};

describe.each(EITHER_DATABASE)('the daily counts of passkeys, on %s', (_, url) => {
  let provider: Provider;
  const { enrolled, request } = passkeySteps(() => provider);
  beforeAll(async () => {
    provider = await makeProvider(url);
  });
  afterEach(async () => {
    await sql`drop trigger if exists test_away on passkey_funnel`.execute(provider.services.db);
    await provider.services.db.deleteFrom('passkey_funnel').execute();
  });
  afterAll(() => provider.close());

  const counts = (everyMs = NEVER_MS, onError: (error: unknown) => void = unexpected) =>
    new FunnelCounts(provider.services.db, onError, everyMs);
  const stored = (days = 1) => readFunnel(provider.services.db, days, provider.clock.time);
  const listed = async (since?: string, passkeyCounts?: FunnelCounts) =>
    (await perform({ ...provider.services, ...(passkeyCounts && { passkeyCounts }) }, 'passkeys.funnel', { since }))
      .rows;

  it('are those of the calls: a login has no statement for them, and the command shows those that wait', async () => {
    const passkeyCounts = counts();
    const app = createApp({ ...provider.services, passkeyCounts });
    const { key } = await enrolled();
    const asked = await request();
    for (const spoiled of [{ present: false }, {}]) {
      const public_key_credential = key.get(asked, spoiled);
      await app.request('/sdk/v1/webauthn/authenticate', {
        method: 'POST',
        headers: {
          authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
          'content-type': 'application/json',
          'user-agent': PHONE,
        },
        body: JSON.stringify({ public_key_credential, session_duration_minutes: 30 }),
      });
    }
    expect(await stored()).toEqual([]);
    const row = { ...NONE, browser: 'Safari', mobile: true, used: 1, failed: 1 };
    expect(await listed(undefined, passkeyCounts)).toEqual([row]);
    await passkeyCounts.stop();
    expect(await stored()).toEqual([row]);
  });

  it('are of whole days, with today, the family with the most logins first', async () => {
    const passkeyCounts = counts();
    const now = provider.clock.time;
    const add = (step: PasskeyStep, by: BrowserFamily, daysAgo: number) =>
      passkeyCounts.count(step, by, now - daysAgo * DAY);
    add('made', EDGE, 0);
    add('offered', EDGE, 1);
    add('used', EDGE, 6);
    for (const daysAgo of [6, 6, 7, 364]) add('used', { browser: 'Chrome', mobile: false }, daysAgo);
    await passkeyCounts.stop();
    const edge = { ...NONE, ...EDGE, offered: 1, made: 1, used: 1 };
    const chrome = { ...NONE, browser: 'Chrome', mobile: false };
    expect(await listed('1d')).toEqual([{ ...edge, offered: 0, used: 0 }]);
    expect(await listed()).toEqual([{ ...chrome, used: 2 }, edge]);
    expect(await listed('7d')).toEqual(await listed());
    expect(await listed('8d')).toEqual([{ ...chrome, used: 3 }, edge]);
    expect(await listed('365d')).toEqual([{ ...chrome, used: 4 }, edge]);
  });

  it.each(['0d', '366d', '-1d', '7', '7h', '1.5d', 'week', ''])('refuse a time span by its name: %j', async (since) => {
    await expect(listed(since)).rejects.toThrow('since must be a number of days from 1d to 365d, such as 7d.');
  });

  it('are exact while processes write the same rows at once, in whatever order they counted', async () => {
    const families = (['Chrome', 'Safari', 'Firefox', 'Edge', 'other'] as const).flatMap((browser) =>
      [false, true].map((mobile) => ({ browser, mobile })),
    );
    const processes = [counts(), counts(), counts()];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, each] of processes.entries()) {
        for (const by of index % 2 === 0 ? families : [...families].reverse()) {
          each.count('used', by, provider.clock.time);
          each.count('offered', by, provider.clock.time - DAY);
        }
      }
      // oxlint-disable-next-line no-await-in-loop -- rounds of a race
      await Promise.all(processes.map((each) => each.write()));
    }
    await Promise.all(processes.map((each) => each.stop()));
    const total = ROUNDS * processes.length;
    const rows = await stored(2);
    expect(rows).toHaveLength(families.length);
    for (const by of families) expect(rows).toContainEqual({ ...NONE, ...by, used: total, offered: total });
  });

  it('are kept while the database refuses them, with those that are counted meanwhile', async () => {
    const { db } = provider.services;
    await sql`create or replace function test_away() returns trigger language plpgsql as $$
      begin raise exception 'away'; end $$`.execute(db);
    await sql`create trigger test_away before insert on passkey_funnel execute function test_away()`.execute(db);
    const passkeyCounts = counts();
    passkeyCounts.count('used', EDGE, provider.clock.time);
    const failing = passkeyCounts.write();
    passkeyCounts.count('used', EDGE, provider.clock.time);
    passkeyCounts.count('failed', EDGE, provider.clock.time);
    await expect(failing).rejects.toThrow('away');
    await sql`drop trigger test_away on passkey_funnel`.execute(db);
    await passkeyCounts.stop();
    await passkeyCounts.stop();
    expect(await stored()).toEqual([{ ...NONE, ...EDGE, used: 2, failed: 1 }]);
  });

  it('are written by a timer, again after it failed', async () => {
    let isAway = true;
    const flaky = provider.services.db.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('away');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const errors: unknown[] = [];
    const passkeyCounts = new FunnelCounts(
      flaky,
      (error) => {
        errors.push(error);
        isAway = false;
      },
      1,
    );
    passkeyCounts.count('made', EDGE, provider.clock.time);
    await vi.waitFor(async () => expect(await stored()).toEqual([{ ...NONE, ...EDGE, made: 1 }]), NEVER_MS);
    expect(errors).toEqual([new Error('away')]);
    await passkeyCounts.stop();
  });

  it('are deleted when they are older than the audit log', async () => {
    const passkeyCounts = counts();
    for (const daysAgo of [0, 364, 366, 367, 400])
      passkeyCounts.count('used', EDGE, provider.clock.time - daysAgo * DAY);
    await passkeyCounts.stop();
    await sweep({ ...provider.services });
    const left = await provider.services.db.selectFrom('passkey_funnel').select('day').orderBy('day').execute();
    expect(left.map(({ day }) => (provider.clock.time - day.getTime()) / DAY)).toEqual([366, 364, 0]);
  });
});
