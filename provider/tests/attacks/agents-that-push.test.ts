import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { challenge, ISSUER, makeApps, withSecret, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';

const CALLBACK = 'https://agent.example/callback';
const AGENT = { client_name: 'An agent', redirect_uris: [CALLBACK] };
const REQUEST = { redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', code_challenge: challenge };

// Anybody can register an agent, with a secret that proves nothing but that.
describe.each(EITHER_DATABASE)('T226: requests that an agent pushes, on %s', (_, url) => {
  let apps: Apps;
  const { register } = registrar(() => apps.provider);
  beforeAll(async () => {
    apps = await makeApps(url, { agents: { registration: 'open', scopes: ['openid'] } });
  });
  afterAll(() => apps.provider.close());

  it('are limited for one network like those of a public app, whichever agent of it asks', async () => {
    const { services, app } = apps.provider;
    const agents = [(await register(AGENT)).body, (await register(AGENT)).body];
    const { max } = services.limits.searchesPerNetwork;
    const push = async (n: number, remoteAddress: string) => {
      const { client_id, client_secret } = agents[n % 2]!;
      const headers = { ...withSecret(client_id, client_secret), 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(REQUEST).toString();
      const sender = { incoming: { socket: { remoteAddress } } };
      return (await app.request(`${ISSUER}/oauth2/par`, { method: 'POST', headers, body }, sender)).status;
    };
    const statuses = await Promise.all(Array.from({ length: max + 20 }, (__, n) => push(n, '203.0.113.9')));
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    const stored = await services.db.selectFrom('pushed_requests').select('request_hash').execute();
    expect(stored.length).toBeLessThanOrEqual(max);
    expect(await push(0, '198.51.100.7')).toBe(201);
  });
});
