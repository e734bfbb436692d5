import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';
import { consent, exchange, isAlive, makeTarget, MINUTES, redeemCode, refresh } from './attacker.ts';
import { intrusionsOf, REMOVABLE, type Removable } from './intruder.ts';
import { tokenOf } from './session-steps.ts';
import { oneOf, RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('a removal of a login method while a stranger uses it, on %s', (_, url) => {
  let provider: Provider;
  const { me, remove, intruded, appOf } = intrusionsOf(() => provider);
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  it.each(oneOf(3, Object.entries(REMOVABLE)))('wins or loses whole against a login by %s at once', async (__, how) => {
    for (let round = 0; round < RACES; round += 1) {
      const { owner, thief, id, entry } = await intruded(how);
      const [removed] = await Promise.all([
        remove(owner, how.path, id),
        entry.enter(),
        entry.enter().catch(() => null),
      ]);
      expect(removed.status).toBe(200);
      expect(await isAlive(provider, thief['session_token'])).toBe(false);
      const rows = await provider.services.db.selectFrom('sessions').select('authentication_factors').execute();
      expect(JSON.stringify(rows)).not.toContain(id);
    }
    expect(provider.traces).toEqual([]);
  });

  soakIt('wins against a refresh, an exchange and a code that are under way', async () => {
    const how = REMOVABLE['a passkey'] as Removable;
    for (let round = 0; round < RACES; round += 1) {
      const { owner, thief, id } = await intruded(how);
      const session = tokenOf(thief);
      const { tokens } = await appOf(session);
      const code = (await consent(provider, session)).data['authorization_code'];
      const [removed, refreshed, exchanged, redeemed, checked] = await Promise.all([
        remove(owner, how.path, id),
        refresh(provider, tokens['refresh_token']),
        exchange(provider, tokens['access_token']),
        redeemCode(provider, code),
        provider.post('/sessions/authenticate', MINUTES, { session }),
        consent(provider, session),
      ]);
      expect(removed.status).toBe(200);
      expect((await refresh(provider, refreshed['refresh_token']))['error']).toMatch(/invalid/u);
      expect((await refresh(provider, redeemed['refresh_token']))['error']).toMatch(/invalid/u);
      for (const token of [refreshed, redeemed]) {
        expect((await exchange(provider, token['access_token'] ?? 'none')).status).toBe(401);
      }
      for (const reply of [exchanged, checked])
        expect(await isAlive(provider, reply.data['session_token'])).toBe(false);
      const grants = await provider.services.db.selectFrom('oauth_grants').selectAll().execute();
      const { user_id } = await me(owner);
      expect(grants.filter((grant) => grant.user_id === user_id)).toEqual([]);
    }
    expect(provider.traces).toEqual([]);
  });
});
