import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import {
  APP,
  codeOf,
  consent,
  enrolTotp,
  exchange,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  uniqueEmail,
} from '../attacks/attacker.ts';
import { EITHER_DATABASE, MINUTE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('the sessions of one user, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const list = (session: string) => provider.call('GET', '/users/sessions', undefined, { session });
  const revoke = (session: string, id: unknown) =>
    provider.post(`/users/sessions/${encodeURIComponent(String(id))}/revoke`, {}, { session });
  const ids = async (session: string): Promise<string[]> =>
    (await list(session)).data['sessions'].map((one: Fields) => one['session_id']);
  const refusal = ({ status, body }: ProviderResponse): unknown[] => [status, body['error_type']];
  const tokenOf = (reply: Fields): string => String(reply['session_token']);
  const idOf = (reply: Fields): string => String(reply['session']['session_id']);

  async function twice(name: string) {
    const email = uniqueEmail(name);
    const away = await provider.signIn(email, { headers: { 'user-agent': 'Other/1.0' } });
    provider.clock.time += MINUTE;
    const here = await provider.signIn(email);
    return { email, away, here };
  }

  it('are listed, the one used last first, with factors by kind alone', async () => {
    const { email, away, here } = await twice('listed');
    const { status, data } = await list(tokenOf(here));
    expect(status).toBe(200);
    expect(data['sessions']).toEqual([
      expect.objectContaining({ session_id: idOf(here), is_current: true }),
      {
        session_id: idOf(away),
        started_at: away['session'].started_at,
        last_accessed_at: away['session'].last_accessed_at,
        expires_at: away['session'].expires_at,
        attributes: { ip_address: '', user_agent: 'Other/1.0' },
        authentication_factors: [{ type: 'otp', delivery_method: 'email' }],
        is_current: false,
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(email);
    expect((await list(String(away['session_jwt']))).status).toBe(403);
  });

  it('are not listed when they have expired', async () => {
    const { email } = await twice('expired');
    provider.clock.time += 61 * MINUTE;
    const now = await provider.signIn(email);
    expect(await ids(tokenOf(now))).toEqual([idOf(now)]);
  });

  soakIt('end one by one, for token and JWT alike', async () => {
    const { away, here } = await twice('ended');
    expect((await revoke(tokenOf(here), idOf(away))).status).toBe(200);
    expect(await isAlive(provider, away['session_token'])).toBe(false);
    expect(await isAlive(provider, away['session_jwt'])).toBe(false);
    expect(await ids(tokenOf(here))).toEqual([idOf(here)]);
    expect(refusal(await revoke(tokenOf(here), idOf(away)))).toEqual([404, 'live_session_not_found']);
    expect((await revoke(tokenOf(here), idOf(here))).status).toBe(200);
    expect(await isAlive(provider, here['session_token'])).toBe(false);
  });

  soakIt('are out of reach for other users', async () => {
    const { here } = await twice('mine');
    const { away: theirs, here: other } = await twice('theirs');
    for (const id of [idOf(theirs), 'none', "' or true --", '%', 'session\u0000']) {
      expect((await revoke(tokenOf(here), id)).status).toBeLessThan(500);
      expect((await revoke(tokenOf(here), id)).status).toBeGreaterThanOrEqual(400);
    }
    expect(refusal(await revoke(tokenOf(here), idOf(theirs)))).toEqual([404, 'live_session_not_found']);
    expect(await ids(tokenOf(other))).toHaveLength(2);
    expect(refusal(await list('nonsense'))).toEqual([401, 'unauthorized_credentials']);
    expect(refusal(await provider.call('GET', '/users/sessions'))).toEqual([401, 'user_unauthenticated']);
    expect(refusal(await provider.post(`/users/sessions/${idOf(theirs)}/revoke`, {}))).toEqual([
      401,
      'user_unauthenticated',
    ]);
    expect(provider.traces).toEqual([]);
  });

  soakIt('are hidden from an impersonator and a connected app, who end none of them', async () => {
    const { email, away, here } = await twice('delegated');
    const { token } = await administer(provider.services, 'impersonate', {
      user: email,
      by: 'ann@ops.example',
    });
    const impersonated = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    const tokens = await redeemCode(provider, (await consent(provider, tokenOf(here))).data['authorization_code']);
    const made = await exchange(provider, tokens['access_token']);
    for (const { data } of [impersonated, made]) {
      expect(refusal(await list(tokenOf(data)))).toEqual([403, 'unauthorized_action']);
      expect(refusal(await revoke(tokenOf(data), idOf(away)))).toEqual([403, 'unauthorized_action']);
    }
    // The user sees both, does not learn the impersonator's address, and can end them.
    const seen = await list(tokenOf(here));
    expect(JSON.stringify(seen.data)).not.toContain('ann@ops.example');
    for (const { data } of [impersonated, made]) {
      expect(await ids(tokenOf(here))).toContain(idOf(data));
      expect((await revoke(tokenOf(here), idOf(data))).status).toBe(200);
      expect(await isAlive(provider, data['session_token'])).toBe(false);
    }
    expect(
      (await provider.call('GET', '/users/connected_apps', undefined, { session: tokenOf(here) })).data,
    ).toMatchObject({ connected_apps: [{ connected_app_id: APP }] });
  });

  soakIt('end only in a session with the second factor, where the user has one', async () => {
    const { email, away, here } = await twice('factor');
    const app = await enrolTotp(provider, tokenOf(here));
    const thief = await provider.signIn(email);
    expect(refusal(await revoke(tokenOf(thief), idOf(here)))).toEqual([403, 'mfa_required']);
    expect(await isAlive(provider, app.session)).toBe(true);
    const body = { totp_code: codeOf(provider, app.secret), ...MINUTES };
    const proven = await provider.post('/totps/authenticate', body, { session: tokenOf(thief) });
    expect((await revoke(tokenOf(proven.data), idOf(away))).status).toBe(200);
  });

  soakIt('stay ended, whatever is on its way in them', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, away, here } = await twice(`race${round}`);
      const session = tokenOf(away);
      const code = await provider.sendCode(email);
      const replies = await Promise.all([
        provider.post('/sessions/authenticate', { session_duration_minutes: 120 }, { session }),
        revoke(tokenOf(here), idOf(away)),
        provider.post('/sessions/authenticate', {}, { session: String(away['session_jwt']) }),
        provider.post('/otps/email/send/secondary', { email: uniqueEmail('planted') }, { session }),
      ]);
      expect(replies[1]?.status).toBe(200);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
      expect(await isAlive(provider, session)).toBe(false);
      // A login that presents the ended session starts one of its own.
      const body = { token: code.code, method_id: code.method_id, ...MINUTES };
      const next = await provider.post('/otps/authenticate', body, { session });
      expect(idOf(next.data)).not.toBe(idOf(away));
    }
  });

  soakIt('end each other: when two sessions do so at the same time, exactly one is left', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { away, here } = await twice(`duel${round}`);
      const replies = await Promise.all([revoke(tokenOf(here), idOf(away)), revoke(tokenOf(away), idOf(here))]);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
    }
  });
});
