import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type ListeningServer } from '#provider/operation/server/listen.ts';
import { controlledApp, makeControlled, type ControlledProvider } from '../kit/controlled.ts';
import { ANY_DATABASE, PUBLIC_TOKEN, basic } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LATER = JSON.stringify({ move_ms: 60_000 });

describe('/dev/control and those who may not use it', () => {
  let provider: ControlledProvider;
  let server: ListeningServer;
  let url = '';
  beforeAll(async () => {
    const origins = ['https://shop.example'];
    provider = await makeControlled(ANY_DATABASE);
    await provider.control('POST', '/settings', { settings: { origins } });
    const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
    server = await listen((req, res) => void listener(req, res), null, 0);
    url = `http://127.0.0.1:${server.port}`;
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  const isUnchanged = async () => (await provider.control('GET', '')).body['clock'].moved_ms === 0;
  const request = async (path: string, init: RequestInit) => provider.app.request(`http://localhost:4100${path}`, init);

  it.each([
    ['a page of another site', { origin: 'https://evil.example', ...JSON_TYPE }, 403],
    ['a page of the project that is not on this machine', { origin: 'https://shop.example', ...JSON_TYPE }, 403],
    ['a page in a sandbox or a file', { origin: 'null', ...JSON_TYPE }, 403],
    ['a name that another site points here', { host: 'evil.example', ...JSON_TYPE }, 421],
    ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.9', ...JSON_TYPE }, 403],
    ['a tunnel on this machine', { 'cf-connecting-ip': '203.0.113.9', ...JSON_TYPE }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form that looks like JSON', { 'content-type': 'text/plain' }, 415],
    ['a form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }, 403],
    ['a scope that is no plain name', { 'x-portico-test': '../all', ...JSON_TYPE }, 400],
  ])('is refused to %s', async (_, headers, status) => {
    const reply = await request('/dev/control/clock', { method: 'POST', headers, body: LATER });
    expect(reply.status).toBe(status);
    if ('origin' in headers && headers.origin !== 'https://shop.example') {
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(await isUnchanged()).toBe(true);
  });

  it('answers the preflight of pages of this machine only', async () => {
    const preflight = async (origin: string) => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-portico-test',
      };
      const reply = await request('/dev/control/clock', { method: 'OPTIONS', headers });
      return [reply.status, reply.headers.get('access-control-allow-origin')];
    };
    expect(await preflight('http://localhost:5173')).toEqual([204, 'http://localhost:5173']);
    expect((await preflight('https://evil.example'))[0]).toBe(403);
  });

  it('is not there without --dev, and on a server that others reach', async () => {
    for (const given of [{ dev: false }, { loopback: false }]) {
      const other = controlledApp({})({ ...provider.services, ...given });
      const move = { method: 'POST', headers: JSON_TYPE, body: LATER };
      expect((await other.request('/dev/control')).status, JSON.stringify(given)).toBe(404);
      expect((await other.request('/dev/control/clock', move)).status).toBe(404);
    }
  });

  it('refuses bodies that are too large, deep or not JSON', async () => {
    for (const [body, status] of [
      ['{', 400],
      ['[]', 400],
      [`{"settings":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 413],
      [`{"settings":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`, 400],
      [JSON.stringify({ settings: { __proto__: { polluted: true }, constructor: 1 } }), 400],
      [JSON.stringify({ settings: { name: 'x\0y' } }), 400],
    ] as const) {
      const reply = await request('/dev/control/settings', { method: 'POST', headers: JSON_TYPE, body });
      expect(reply.status, body.slice(0, 40)).toBe(status);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await provider.control('GET', '')).body['settings']).toEqual({ origins: ['https://shop.example'] });
  });

  soakIt('ends the connection before anything is done, or when it is done, and goes on serving', async () => {
    const send = async (email: string): Promise<number> => {
      const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), ...JSON_TYPE };
      const body = JSON.stringify({ email });
      const reply = await fetch(`${url}/sdk/v1/otps/email/login_or_create`, { method: 'POST', headers, body });
      return reply.status;
    };
    const received = async () => (await provider.inbox()).map(({ to }) => to);
    const call = 'POST /sdk/v1/otps/email/login_or_create';
    await provider.control('POST', '/faults', { call, drop: 'request', times: 1 });
    await expect(send('nothing@example.com')).rejects.toThrow('fetch failed');
    expect(await received()).toEqual([]);
    await provider.control('POST', '/faults', { call, drop: 'answer', times: 1 });
    await expect(send('done@example.com')).rejects.toThrow('fetch failed');
    expect(await received()).toEqual(['done@example.com']);
    expect(await send('fine@example.com')).toBe(200);
    expect(provider.traces).toEqual([]);
  });

  it('delays an answer for the given time', async () => {
    await provider.control('POST', '/faults', { call: '* /sdk/v1/*', delay_ms: 60_000, times: 1 });
    const bootstrap = `${url}/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`;
    const held = new AbortController();
    const answers: string[] = [];
    const late = fetch(bootstrap, { signal: held.signal }).then(
      () => answers.push('late'),
      () => answers.push('given up'),
    );
    // The fault is used up, so the second one is answered while the first is held.
    await expect.poll(async () => (await provider.control('GET', '')).body['faults']).toEqual([]);
    expect((await fetch(bootstrap)).status).toBe(200);
    expect(answers).toEqual([]);
    held.abort();
    await late;
    expect(answers).toEqual(['given up']);
  });
});
