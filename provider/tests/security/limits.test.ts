import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { networkBucket } from '#provider/base/security/limits.ts';
import { ANY_DATABASE, basic, type Fields, MINUTE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const limits = {
  ...DEFAULT_LIMITS,
  sendsPerNetwork: { max: 3, windowMs: 10 * MINUTE },
  searchesPerNetwork: { max: 3, windowMs: MINUTE },
  failuresPerNetwork: { max: 3, windowMs: MINUTE },
};

describe('limits per network', () => {
  const provider = suiteProvider(ANY_DATABASE, { limits });

  let count = 0;
  async function post(path: string, body: Fields, remoteAddress: string, headers: Fields = {}): Promise<Response> {
    const init = {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return provider.app.request(`/sdk/v1${path}`, init, { incoming: { socket: { remoteAddress } } });
  }
  const send = (address: string, headers?: Fields) =>
    post('/otps/email/login_or_create', { email: `n${(count += 1)}@example.com` }, address, headers);

  it('stop a network that asks for too much, whatever its headers say, and not its neighbours', async () => {
    for (let i = 0; i < 3; i += 1) expect((await send('203.0.113.7')).status).toBe(200);
    for (const headers of [{}, { 'x-forwarded-for': '198.51.100.1' }, { forwarded: 'for=198.51.100.1' }]) {
      const refused = await send('203.0.113.7', headers);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/u);
    }
    expect((await send('203.0.113.8')).status).toBe(200);
  });

  it('slide, so that half a window later about half is free again', async () => {
    provider.clock.time += 20 * MINUTE - (provider.clock.time % (10 * MINUTE));
    for (let i = 0; i < 3; i += 1) await send('203.0.113.9');
    provider.clock.time += 10 * MINUTE;
    expect((await send('203.0.113.9')).status).toBe(429);
    provider.clock.time += 5 * MINUTE;
    expect((await send('203.0.113.9')).status).toBe(200);
  });

  it('apply to searches for users and to wrong guesses', async () => {
    const wrong = { token: 'unknown', session_duration_minutes: 30 };
    for (let i = 0; i < 3; i += 1) {
      expect((await post('/users/search', { email: 'who@example.com' }, '203.0.113.10')).status).toBe(200);
      expect((await post('/magic_links/authenticate', wrong, '203.0.113.10')).status).toBe(401);
    }
    expect((await post('/users/search', { email: 'who@example.com' }, '203.0.113.10')).status).toBe(429);
    expect((await post('/magic_links/authenticate', wrong, '203.0.113.10')).status).toBe(429);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', ''])(
    'do not apply to this machine (%j)',
    async (address) => {
      for (let i = 0; i < 5; i += 1) expect((await send(address)).status).toBe(200);
    },
  );

  it('count all of a /64 as one', () => {
    expect(networkBucket('x', '2001:db8:1:2:3:4:5:6')).toBe(networkBucket('x', '2001:db8:1:2:ffff::1'));
    expect(networkBucket('x', '2001:db8:1:2::1')).not.toBe(networkBucket('x', '2001:db8:1:3::1'));
    expect(networkBucket('x', '::ffff:203.0.113.7')).not.toBe(networkBucket('x', '::ffff:203.0.113.8'));
  });

  it.each([
    ['/impersonation/authenticate', { impersonation_token: 'guess' }],
    ['/sessions/attest', { profile_id: 'p', token: 'guess' }],
    ['/sessions/exchange_access_token', { access_token: 'guess', session_duration_minutes: 30 }],
  ])('stop a network that guesses at %s', async (path, body) => {
    const project = projectFrom({
      trusted_auth_token_profiles: [{ profile_id: 'p', issuer: 'https://issuer.example', audience: 'here' }],
    });
    const app = createApp({ ...provider.services, project });
    provider.clock.time += 10 * MINUTE;
    const guess = async (remoteAddress: string) => {
      const init = {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      return (await app.request(`/sdk/v1${path}`, init, { incoming: { socket: { remoteAddress } } })).status;
    };
    for (let i = 0; i < 3; i += 1) expect(await guess('203.0.113.50')).toBe(401);
    expect(await guess('203.0.113.50')).toBe(429);
    expect(await guess('203.0.113.51')).toBe(401);
  });

  it('stop a network that guesses at the token endpoint', async () => {
    provider.clock.time += 10 * MINUTE;
    const guess = async () => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=authorization_code&client_id=x&code=guess',
      };
      const env = { incoming: { socket: { remoteAddress: '203.0.113.60' } } };
      return (await provider.app.request('/oauth2/token', init, env)).status;
    };
    for (let i = 0; i < 3; i += 1) expect(await guess()).toBe(401);
    expect(await guess()).toBe(429);
  });

  it('stop a network that asks for members, like one that asks for users', async () => {
    const search = () =>
      post(
        '/b2b/organizations/members/search',
        { email_address: 'a@example.com', organization_id: 'o' },
        '203.0.113.70',
      );
    const first = await search();
    expect(((await first.json()) as Fields)['data'].member).toBeNull();
    for (let i = 0; i < 2; i += 1) expect((await search()).status).toBe(200);
    expect((await search()).status).toBe(429);
  });
});
