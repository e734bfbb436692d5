import { beforeEach, describe, expect, it } from 'vitest';
import { FunnelCounts } from '#provider/accounts/passkeys/funnel-counts.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { operatorsBrowser, ORIGIN } from '../kit/operators-browser.ts';
import { pageSteps } from './page-steps.ts';

const DAY = 24 * 60 * MINUTE;
const CHROME = { browser: 'Chrome', mobile: false } as const;
const SAFARI = { browser: 'Safari', mobile: true } as const;

describe.each(EITHER_DATABASE)("the operators' page of passkeys, on %s", (_, database) => {
  const world = pageSteps(database);
  const { get, enrolled } = world;
  beforeEach(() => world.provider.services.db.deleteFrom('passkey_funnel').execute());

  const counts = () => new FunnelCounts(world.provider.services.db, () => undefined);
  const count = (to: FunnelCounts, step: PasskeyStep, by: BrowserFamily, times: number, daysAgo = 0): void => {
    for (let n = 0; n < times; n += 1) to.count(step, by, world.provider.clock.time - daysAgo * DAY);
  };
  /** The cells of the table, row by row. */
  const rowsOf = (text: string): readonly (readonly string[])[] =>
    [...(/<tbody>([\s\S]*)<\/tbody>/u.exec(text)?.[1] ?? '').matchAll(/<tr>([\s\S]*?)<\/tr>/gu)].map(([, row = '']) =>
      [...row.matchAll(/<td>([\s\S]*?)<\/td>/gu)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/gu, '').trim()),
    );

  it('says of a time span without passkeys that there are none', async () => {
    const { cookie } = await enrolled('Grace');
    const { status, text } = await get('passkeys', cookie);
    expect([status, rowsOf(text)]).toEqual([200, []]);
    expect(text).toContain('No passkey was offered, made or used in the last 7 days.');
    expect(text).toMatch(/<a href="\/operators\/passkeys" aria-current="page">Passkeys<\/a>/u);
  });

  it('shows each family of browsers with its share, and their sum, also to whoever only reads', async () => {
    const stored = counts();
    count(stored, 'offered', CHROME, 1_200);
    count(stored, 'made', CHROME, 900, 6);
    count(stored, 'used', CHROME, 3);
    count(stored, 'used', SAFARI, 5, 6);
    count(stored, 'failed', SAFARI, 1);
    count(stored, 'used', CHROME, 100, 7);
    await stored.stop();
    const { cookie } = await enrolled('Edsger', 'reader');
    const safari = ['Safari', 'phone or tablet', '0', '0', '–', '5', '1'];
    expect(rowsOf((await get('passkeys', cookie)).text)).toEqual([
      safari,
      ['Chrome', 'computer', '1,200', '900', '75%', '3', '0'],
      ['All', '', '1,200', '900', '75%', '8', '1'],
    ]);
    const [today] = rowsOf((await get('passkeys?since=1d', cookie)).text);
    expect(today).toEqual(['Chrome', 'computer', '1,200', '0', '0%', '3', '0']);
    const longer = await get('passkeys?since=8d', cookie);
    expect(rowsOf(longer.text)[0]).toEqual(['Chrome', 'computer', '1,200', '900', '75%', '103', '0']);
    expect(longer.text).toMatch(/<option value="8d" selected>The last 8 days<\/option>/u);
  });

  it('counts what the process has not written yet', async () => {
    const passkeyCounts = counts();
    count(passkeyCounts, 'used', SAFARI, 1);
    const app = operatorsApp({ ...world.provider.services, metrics: NO_METRICS, passkeyCounts }, { origin: ORIGIN });
    const browser = operatorsBrowser(() => ({ provider: world.provider, app }));
    const { cookie } = await browser.enrolled('Ada');
    expect(rowsOf((await browser.get('passkeys?since=1d', cookie)).text)).toEqual([
      ['Safari', 'phone or tablet', '0', '0', '–', '1', '0'],
    ]);
  });

  it('refuses a time span that is none, and shows nothing without a session', async () => {
    const { cookie } = await enrolled('Alan');
    for (const since of ['0d', '366d', '7', 'x', '%00d', '-1d']) {
      const { status, text } = await get(`passkeys?since=${since}`, cookie);
      // What cannot be stored counts as not given.
      expect([since, status]).toEqual([since, since === '%00d' ? 200 : 400]);
      expect(text.includes('from 1d to 365d')).toBe(since !== '%00d');
    }
    expect((await get('passkeys', '')).location).toBe('/operators/login');
  });
});
