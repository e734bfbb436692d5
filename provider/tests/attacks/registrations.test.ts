import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { askedIn, challenge, makeApps, verifier, withSecret, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';
import { soakIt } from '#tests/soak-tests.ts';

const CALLBACK = 'https://agent.example/callback';
const AGENT = { client_name: 'An agent', redirect_uris: [CALLBACK] };
const MOST = 12;
const AGENTS = { registration: 'open', scopes: ['openid', 'email', 'offline_access'], most_unused: MOST };

/** Anybody can register an agent: that must give them nothing of another one, and no room. */
describe.each(EITHER_DATABASE)('a registration by an attacker, on %s', (_, url) => {
  let apps: Apps;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    apps = await makeApps(url, { agents: AGENTS });
  });
  afterAll(() => apps.provider.close());

  const ask = async (client_id: string, redirect_uri = CALLBACK): Promise<Fields> => {
    const request = { client_id, redirect_uri, response_type: 'code', code_challenge: challenge };
    const { location } = await apps.visit('/authorize', { ...request, scope: 'openid offline_access' });
    return askedIn(location ?? new URL('about:blank'));
  };
  const allow = async (client_id: string, redirect_uri?: string) =>
    String((await apps.submit(await ask(client_id, redirect_uri))).data['authorization_code']);
  const redeem = async ({ client_id, client_secret }: Fields, code: string) =>
    apps.redeem({ code, client_id: undefined, redirect_uri: CALLBACK, code_verifier: verifier }, withSecret(client_id, client_secret)); // prettier-ignore
  const asksAgain = async (client_id: string) => (await apps.start(await ask(client_id))).data['consent_required'];

  it('opens no other registration with its token, nor with any secret of that one', async () => {
    const [{ body: victim }, { body: thief }] = [await register(AGENT), await register(AGENT)];
    const tokens = [thief['registration_access_token'], victim['client_secret'], thief['client_secret'], 'x', ''];
    for (const token of tokens) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const json = method === 'PUT' ? { ...AGENT, client_id: victim['client_id'], client_name: 'Taken' } : undefined;
        expect(await at(victim, token)(method, json)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      }
    }
    for (const id of ['planner', 'agent-unknown', '%00', '..%2f..']) {
      const other = { client_id: id, registration_access_token: thief['registration_access_token'] };
      expect((await at(other)('GET')).status).toBeGreaterThanOrEqual(400);
    }
    expect((await at(victim)('GET')).body['client_name']).toBe('An agent');
  });

  it('has this server call no address that it names', async () => {
    const host = await documentHost();
    const named = ['sector_identifier_uri', 'backchannel_logout_uri', 'frontchannel_logout_uri', 'initiate_login_uri'];
    const shown = ['logo_uri', 'client_uri', 'tos_uri', 'policy_uri'];
    const at = (field: string) => `${host.origin}/${field}`;
    const given = Object.fromEntries([...named, ...shown].map((field) => [field, at(field)]));
    const { body: agent } = await register({ ...AGENT, ...given, request_uris: [at('request')] });
    for (const field of [...named, 'request_uris']) expect(agent).not.toHaveProperty(field);
    const { body: tokens } = await redeem(agent, await allow(agent['client_id']));
    expect((await apps.userinfo(tokens['access_token'])).status).toBe(200);
    expect((await apps.start(await ask(agent['client_id']))).data['client']['client_logo_url']).toBeNull();
    expect([host.reads(), host.connections()]).toEqual([0, 0]);
    await host.close();
  });

  it('gets no code with a stolen registration token before the user is asked again', async () => {
    const { body: agent } = await register(AGENT);
    await allow(agent['client_id']);
    expect(await asksAgain(agent['client_id'])).toBe(false);
    const stolen = at(agent);
    const evil = 'https://evil.example/callback';
    const change = { ...AGENT, client_id: agent['client_id'], redirect_uris: [CALLBACK, evil] };
    apps.provider.clock.time += 1000;
    expect((await stolen('PUT', change)).status).toBe(200);
    const silent = await apps.submit({ ...(await ask(agent['client_id'], evil)), consent_granted: false });
    expect(new URL(silent.data['redirect_uri']).searchParams.get('error')).toBe('access_denied');
    expect(await asksAgain(agent['client_id'])).toBe(true);
  });

  it('ends everything of the agent when it is removed, also while its tokens are refreshed', async () => {
    const { body: agent } = await register(AGENT);
    const { body: tokens } = await redeem(agent, await allow(agent['client_id']));
    const secret = withSecret(agent['client_id'], agent['client_secret']);
    const refresh = (token: unknown) => apps.refresh(token, { client_id: undefined }, secret);
    const [, ...others] = await Promise.all([
      at(agent)('DELETE'),
      refresh(tokens['refresh_token']),
      allow(agent['client_id']).catch(() => 'none'),
      refresh(tokens['refresh_token']),
    ]);
    expect(others).toHaveLength(3);
    expect((await apps.userinfo(tokens['access_token'])).status).toBe(401);
    expect((await refresh(tokens['refresh_token'])).status).toBe(401);
    const left = await apps.provider.services.db
      .selectFrom('oauth_grants')
      .select('grant_id')
      .where('client_id', '=', agent['client_id'])
      .execute();
    expect(left).toEqual([]);
  });

  soakIt('is changed and removed at once by ten callers into one outcome', async () => {
    const { body: agent } = await register(AGENT);
    const own = at(agent);
    const change = { ...AGENT, client_id: agent['client_id'] };
    const calls = Array.from({ length: 10 }, async (_each, index) =>
      index === 5 ? own('DELETE') : own('PUT', { ...change, client_name: `Name ${index}` }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [200, 204, 401].includes(status))).toBe(true);
    expect((await own('GET')).status).toBe(401);
  });

  it('takes the room of nobody else: a network that fills the table loses its own oldest', async () => {
    const { db } = apps.provider.services;
    await db.deleteFrom('agents').execute();
    await db.deleteFrom('limit_windows').execute();
    const quiet = (await register(AGENT, undefined, '198.51.100.9')).body;
    const used = (await register(AGENT, undefined, '203.0.113.9')).body;
    await allow(String(used['client_id']));
    apps.provider.clock.time += 1000;
    const first = await register(AGENT, undefined, '203.0.113.9');
    apps.provider.clock.time += 1000;
    const flood = await Promise.all(
      Array.from({ length: MOST + 12 }, async () => register(AGENT, undefined, '203.0.113.9')),
    );
    expect(flood.map(({ status }) => status)).toEqual(flood.map(() => 201));
    const left = (await db.selectFrom('agents').select('client_id').execute()).map(({ client_id }) => client_id);
    expect(left).toHaveLength(MOST + 1);
    expect(left).toEqual(expect.arrayContaining([quiet['client_id'], used['client_id']]));
    expect(left).not.toContain(first.body['client_id']);
    // A newcomer gets in.
    expect((await register(AGENT, undefined, '198.51.100.10')).status).toBe(201);
    expect((await at(quiet)('GET')).status).toBe(200);
  });

  soakIt('takes no place of a registration that waits for its consent, from however many networks', async () => {
    const { db } = apps.provider.services;
    await db.deleteFrom('agents').execute();
    await db.deleteFrom('limit_windows').execute();
    const waiting = (await register(AGENT, undefined, '198.51.100.9')).body;
    apps.provider.clock.time += 1000;
    const flood = await Promise.all(
      Array.from({ length: MOST + 12 }, async (_each, net) => register(AGENT, undefined, `203.0.${net}.9`)),
    );
    const refused = flood.filter(({ status }) => status === 429);
    expect([refused.length, flood.filter(({ status }) => status === 201).length]).toEqual([13, MOST - 1]);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await db.selectFrom('agents').select('client_id').execute()).toHaveLength(MOST);
    expect((await redeem(waiting, await allow(waiting['client_id']))).body).toHaveProperty('access_token');
    // Nobody waits so long.
    apps.provider.clock.time += 15 * MINUTE;
    expect((await register(AGENT, undefined, '198.51.100.10')).status).toBe(201);
    expect((await register(AGENT, undefined, '198.51.100.11')).status).toBe(201);
    await apps.signInAgain();
  });

  soakIt(
    'holds all places from as many networks once: a network that registered less often comes before them',
    async () => {
      const { services, logged } = apps.provider;
      await services.db.deleteFrom('agents').execute();
      await services.db.deleteFrom('limit_windows').execute();
      const before = logged.length;
      const warnings = () => logged.slice(before).filter((line) => line.includes('this may be a flood'));
      const flood = () =>
        Promise.all(Array.from({ length: MOST }, async (_each, net) => register(AGENT, undefined, `203.0.${net}.9`)));
      const statuses = async () => (await flood()).map(({ status }) => status);
      const all = (status: number) => Array.from({ length: MOST }, () => status);
      expect(await statuses()).toEqual(all(201));
      const late = await Promise.all([1, 2].map(async (host) => register(AGENT, undefined, `198.51.100.${host}`)));
      expect([late.map(({ status }) => status), warnings().length]).toEqual([[429, 429], 1]);
      // When their time is over, the flood comes first again.
      apps.provider.clock.time += 15 * MINUTE;
      expect(await statuses()).toEqual(all(201));
      const newcomers = await Promise.all(
        Array.from({ length: MOST }, async (_each, net) => register(AGENT, undefined, `198.51.${net}.10`)),
      );
      expect(newcomers.map(({ status }) => status)).toEqual(all(201));
      expect(await statuses()).toEqual(all(429));
      for (const { body } of newcomers) expect((await at(body)('GET')).status).toBe(200);
      expect(await services.db.selectFrom('agents').select('client_id').execute()).toHaveLength(MOST);
      await apps.signInAgain();
    },
  );

  soakIt('counts the networks of one /48 as one', async () => {
    const { db } = apps.provider.services;
    await db.deleteFrom('agents').execute();
    await db.deleteFrom('limit_windows').execute();
    const quiet = (await register(AGENT, undefined, '2001:db8:1::1')).body;
    for (let net = 0; net < MOST + 2; net += 1) {
      apps.provider.clock.time += 1000;
      expect((await register(AGENT, undefined, `2001:db8:2:${net.toString(16)}00::1`)).status).toBe(201);
    }
    expect((await at(quiet)('GET')).status).toBe(200);
    expect(await db.selectFrom('agents').select('client_id').execute()).toHaveLength(MOST);
    await apps.signInAgain();
  });

  it('is limited for one network, which does not limit another one', async () => {
    await apps.provider.services.db.deleteFrom('agents').execute();
    const { max } = apps.provider.services.limits.registrationsPerNetwork;
    const wrong = { redirect_uris: [] };
    const flood = await Promise.all(
      Array.from({ length: max + 10 }, async () => register(wrong, undefined, '203.0.113.5')),
    );
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
    expect((await register(AGENT, undefined, '198.51.100.5')).status).toBe(201);
  });
});
