import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { readKeys } from '#provider/apps/idp/clients/client-keys.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { CALLBACK, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';
import { appKey, assertionBy, publishKeys, type AppKey } from '../kit/key-host.ts';
import { registrar } from '../kit/registrar.ts';
import { soakIt } from '#tests/soak-tests.ts';

const AGENTS = { registration: 'open' };
const SIGNER = { client_type: 'confidential', name: 'Signer', redirect_uris: [CALLBACK], scopes: ['openid'] };
const BY_KEY = { token_endpoint_auth_method: 'private_key_jwt', redirect_uris: [AGENT_CALLBACK] };
const own = await appKey('own');
const other = await appKey('other');

/** The address of a key set is a stranger's, and whoever knows a client's id decides when it is read. */
describe.each(EITHER_DATABASE)('the address of a key set as a weapon, on %s', (_, url) => {
  let apps: Apps;
  /** Without `--dev` and loopback. */
  let live: Provider;
  let host: DocumentHost;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    host = await documentHost();
    const signer = { ...SIGNER, client_id: 'signer', jwks_uri: `${host.origin}/signer` };
    apps = await makeApps(url, { agents: AGENTS, clients: [...SETTINGS.clients, signer] });
    const there = 'https://login.example/';
    const production = {
      allow_loopback: false,
      origins: ['https://login.example'],
      redirect_urls: [there],
      default_login_redirect_url: there,
      default_signup_redirect_url: there,
      idp: { authorization_url: 'https://login.example/authorize' },
    };
    const inside = { ...SIGNER, client_id: 'inside', jwks_uri: `https://localhost:${new URL(host.origin).port}/keys` };
    const project = projectFrom({ ...SETTINGS, ...production, agents: AGENTS, clients: [inside] });
    live = await makeProvider(url, { project, dev: false });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), live.close(), host.close()]);
  });
  beforeEach(async () => {
    await apps.provider.services.db.deleteFrom('limit_windows').execute();
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
  });

  const ask = async (client_id: string, key: AppKey = own, by: Provider = apps.provider) => {
    const fields = { token: 'x', ...(await assertionBy(key, client_id, { time: by.clock.time })) };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', headers, body: new URLSearchParams(fields).toString() };
    return (await by.app.request(`${ISSUER}/oauth2/introspect`, request)).status;
  };
  const reason = async (by: Provider = apps.provider) => {
    const rows = await by.services.db.selectFrom('connection_failures').select(['client_id', 'message']).execute();
    return rows.map(({ message }) => message).join('\n');
  };
  const agentAt = async (jwks_uri: string): Promise<Fields> => (await register({ ...BY_KEY, jwks_uri })).body;

  it.each([
    ['a name that leads to this machine', (port: string) => `https://localhost:${port}/keys`],
    ['this machine', (port: string) => `https://127.0.0.1:${port}/keys`],
    ['this machine in IPv6', (port: string) => `https://[::1]:${port}/keys`],
    ['this machine, embedded', (port: string) => `https://[::ffff:7f00:1]:${port}/keys`],
    ['plain text to this machine', (port: string) => `http://127.0.0.1:${port}/keys`],
    ['a private network', () => 'https://10.0.0.1/keys'],
    ['the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
  ])('reaches nothing inside for an agent: %s', async (_name, address) => {
    const jwks_uri = address(new URL(host.origin).port);
    await live.services.db.deleteFrom('connection_failures').execute();
    const before = host.connections();
    const { body } = await registrar(() => live).register({ ...BY_KEY, jwks_uri });
    expect(await ask(String(body['client_id']), own, live)).toBe(401);
    expect([await reason(live), host.connections() - before]).toEqual([
      expect.stringContaining('is not at a public address'),
      0,
    ]);
  });

  it('reaches nothing inside for a client of a project file that allows no loopback', async () => {
    await live.services.db.deleteFrom('connection_failures').execute();
    const before = host.connections();
    expect(await ask('inside', own, live)).toBe(401);
    expect([await reason(live), host.connections() - before]).toEqual([
      expect.stringContaining('is not at a public address'),
      0,
    ]);
  });

  it('follows no redirect, wherever it leads', async () => {
    const target = publishKeys(host, '/target', [own.jwk]);
    const before = host.reads();
    for (const status of [301, 302, 303, 307, 308]) {
      const jwks_uri = host.answer(`/redirect-${status}`, (_request, response) =>
        response.writeHead(status, { Location: target }).end(),
      );
      const { client_id } = await agentAt(jwks_uri);
      expect(await ask(String(client_id))).toBe(401);
      expect(await reason()).toContain(`answered with status ${status}`);
    }
    expect(host.reads() - before).toBe(5);
  });

  soakIt('does not read ten megabytes, nor wait for a body that never ends', async () => {
    let sent = 0;
    const big = host.answer('/big', (_request, response) => {
      response.writeHead(200);
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && sent < 10_000_000) {
          sent += 50_000;
          if (!response.write('x'.repeat(50_000))) break;
        }
        if (!response.destroyed && sent < 10_000_000) response.once('drain', more);
        else response.end();
      };
      more();
    });
    const { client_id } = await agentAt(big);
    expect(await ask(String(client_id))).toBe(401);
    expect(await reason()).toContain('larger than 64 kB');
    expect(sent).toBeLessThan(10_000_000);
    const slow = host.answer('/slow', (_request, response) => {
      response.writeHead(200).write('{');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    const { client_id: waiting } = await agentAt(slow);
    expect(await ask(String(waiting))).toBe(401);
    expect(await reason()).toContain('did not answer in time');
  });

  soakIt('makes this server no weapon against its host: unknown keys have it read a few times', async () => {
    publishKeys(host, '/signer', [own.jwk]);
    expect(await ask('signer')).toBe(200);
    const before = host.reads();
    const statuses: number[] = [];
    for (let times = 0; times < 40; times += 1) {
      statuses.push(await ask('signer', { ...other, kid: `unknown-${times}` }));
    }
    expect(statuses.every((status) => status === 401)).toBe(true);
    expect(host.reads() - before).toBeLessThanOrEqual(10);
    // The client itself is not locked out.
    expect(await ask('signer')).toBe(200);
  });

  soakIt('is read for all agents together a limited number of times from one host', async () => {
    const { services } = apps.provider;
    const jwks_uri = publishKeys(host, '/many', [own.jwk]);
    const limits = { ...services.limits, documentsPerHost: { max: 1, windowMs: MINUTE } };
    const agent = {
      origin: 'registration',
      host: null,
      approved: false,
      changed_at: new Date(0),
      refreshes: false,
    } as const;
    const one = { client_id: 'agent-first', jwks_uri, agent };
    await readKeys({ ...services, limits }, one);
    await expect(readKeys({ ...services, limits }, { ...one, client_id: 'agent-second' })).rejects.toThrow('too often');
    // Another port of the host is the same host.
    const elsewhere = { ...one, client_id: 'agent-third', jwks_uri: jwks_uri.replace(/:\d+\//u, ':1/') };
    await expect(readKeys({ ...services, limits }, elsewhere)).rejects.toThrow('too often');
  });

  it('gives a client no key that is private, secret, or another client’s', async () => {
    publishKeys(host, '/signer', [own.jwk]);
    const secret = { kty: 'oct', kid: 'own', k: 'c2VjcmV0' };
    const published = publishKeys(host, '/published', [own.privateJwk, secret, { kty: 'unknown' }]);
    const { client_id: careless } = await agentAt(published);
    expect(await ask(String(careless))).toBe(401);
    const { client_id: thief } = await agentAt(publishKeys(host, '/thief', [other.jwk]));
    expect([await ask(String(thief), other), await ask('signer', other), await ask(String(thief), own)]).toEqual([200, 401, 401]); // prettier-ignore
  });

  soakIt('an assertion is good once, also of ten at once that wait for the keys', async () => {
    const { client_id } = await agentAt(publishKeys(host, '/once', [own.jwk]));
    const assertion = await assertionBy(own, String(client_id), { time: apps.provider.clock.time });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => apps.form('/introspect', { token: 'x', ...assertion })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('fills no table: a client that moves its keys has one set', async () => {
    const made = await agentAt(publishKeys(host, '/move-0', [own.jwk]));
    const client_id = String(made['client_id']);
    for (let times = 0; times < 5; times += 1) {
      const jwks_uri = publishKeys(host, `/move-${times}`, [own.jwk]);
      expect((await at(made)('PUT', { ...BY_KEY, client_id, jwks_uri })).status).toBe(200);
      expect(await ask(client_id)).toBe(200);
    }
    const rows = await apps.provider.services.db
      .selectFrom('client_key_sets')
      .select('jwks_uri')
      .where('client_id', '=', client_id)
      .execute();
    expect(rows).toEqual([{ jwks_uri: `${host.origin}/move-4` }]);
  });
});
