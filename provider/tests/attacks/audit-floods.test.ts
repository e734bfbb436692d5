import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { at, networks } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };
const GOOD = 'violet tractor moon 88';
const ATTACKER = '198.51.100.200';
const HOUR = 60 * MINUTE;

describe.each(EITHER_DATABASE)('floods of refusals, on %s', (_, url) => {
  let provider: Provider;
  let seen = 0;
  beforeAll(async () => {
    const project = projectFrom({ password_strength_policy: 'none', breach_detection: false });
    provider = await makeProvider(url, { project });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.clock.time += 25 * HOUR;
    await sweep(provider.services);
    seen = (await all()).length;
  });

  const all = (): Promise<readonly Fields[]> =>
    provider.services.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  const refused = async () => (await all()).slice(seen).filter(({ outcome }) => outcome === 'refused');
  const junk = (address: string) =>
    at(provider.app, address).post('/magic_links/authenticate', { token: 'x', ...minutes });
  const guess = (address: string, email: string) =>
    at(provider.app, address).post('/passwords/authenticate', { email, password: 'wrong', ...minutes });

  async function owner(): Promise<{ readonly email: string; readonly user_id: string }> {
    const email = `owner${provider.clock.time}@example.com`;
    const { data } = await provider.post('/passwords', { email, password: GOOD, ...minutes });
    return { email, user_id: String(data['user_id']) };
  }

  soakIt('junk of one network hides neither its guesses at a user nor the junk of another network', async () => {
    const { email, user_id } = await owner();
    for (let sent = 0; sent < 60; sent += 1) expect((await junk(ATTACKER)).status).toBe(401);
    await guess(ATTACKER, email);
    await junk('203.0.113.80');
    const rows = await refused();
    expect(rows).toHaveLength(22);
    expect(rows[19]?.['details']).toMatchObject({ counted_until: expect.any(String) });
    expect(rows[20]).toMatchObject({ event: 'login', user_id, details: { error_type: 'unauthorized_credentials' } });
    expect(rows[21]).toMatchObject({ user_id: null });
    expect(rows[21]?.['network']).not.toBe(rows[0]?.['network']);
  });

  it('events without a row are counted, and the count is written when the hour is over, by one of several processes', async () => {
    for (let sent = 0; sent < 45; sent += 1) await junk(ATTACKER);
    const during = await refused();
    expect(during).toHaveLength(20);
    provider.clock.time += HOUR;
    await Promise.all([sweep(provider.services), sweep(provider.services), sweep(provider.services)]);
    const rows = await refused();
    expect(rows).toHaveLength(21);
    expect(rows[20]).toMatchObject({
      event: 'login',
      actor_kind: 'system',
      network: during[0]?.['network'],
      details: { more: 25, error_type: 'unable_to_auth_magic_link' },
    });
    expect(await provider.services.db.selectFrom('audit_counts').selectAll().execute()).toEqual([]);
  });

  it('the networks of a /48 are one network', async () => {
    for (let subnet = 0; subnet < 40; subnet += 1) await junk(`2001:db8:7:${subnet.toString(16)}::1`);
    expect(await refused()).toHaveLength(20);
    await junk('2001:db8:8::1');
    expect(await refused()).toHaveLength(21);
  });

  soakIt('a thousand networks do not hide a refusal from the next one, of another kind or of an operator', async () => {
    // As many as spend the budget of all networks, twenty of each: their counts, without the requests.
    await junk(ATTACKER);
    await junk(ATTACKER);
    await provider.services.db
      .updateTable('audit_counts')
      .set({ hits: 100_000 })
      .where('network', 'is', null)
      .execute();
    await junk(ATTACKER);
    expect(await refused()).toHaveLength(2);
    await junk('203.0.113.81');
    expect(await refused()).toHaveLength(3);
    const { email } = await owner();
    await guess(ATTACKER, email);
    expect(await refused()).toHaveLength(4);
    provider.clock.time += HOUR;
    await sweep(provider.services);
    const counted = (await refused()).slice(4);
    expect(counted.map(({ network, details }) => [network, details['more']])).toEqual([[null, 99_001]]);
  });

  soakIt('guesses of many networks at one user are counted, and one of each is written', async () => {
    const { email, user_id } = await owner();
    for (const network of networks(12)) {
      for (let tries = 0; tries < 3; tries += 1) await guess(network, email);
    }
    const rows = await refused();
    expect(rows).toHaveLength(36);
    expect(rows.every((row) => row['user_id'] === user_id)).toBe(true);
  });

  soakIt('simultaneous refusals write as many rows as the budget has', async () => {
    await Promise.all(Array.from({ length: 40 }, () => junk(ATTACKER)));
    expect(await refused()).toHaveLength(20);
  });
});
