import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionsFrom, UsageError } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { basic, EITHER_DATABASE, freshStore, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-exposure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function projectFile(content: object | string): string {
  const path = join(folder, `project-${(files += 1)}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** An operator's project file. */
const SITE = {
  origins: ['https://shop.example'],
  redirect_urls: ['https://shop.example/in'],
  default_login_redirect_url: 'https://shop.example/in',
  default_signup_redirect_url: 'https://shop.example/in',
};

/** A proxy on the same host. Only the headers that it adds distinguish the internet from this machine. */
async function proxyTo(target: string, added: Readonly<Record<string, string>>): Promise<{ url: string; end: Server }> {
  const { port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}`, ...added };
    const passed = ask({ host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end: server };
}

const post = (url: string, body: Fields, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const authorize = (url: string): string =>
  `/accounts/google/authorize?${new URLSearchParams({
    client_id: 'portico-test-client',
    redirect_uri: `${url}/v1/public/oauth/google/callback`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })}`;

describe.each(EITHER_DATABASE)('requests from the internet through a proxy on the same host, on %s', (_, url) => {
  const stops: (() => unknown)[] = [];
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  async function start(...args: readonly string[]): Promise<RunningServer> {
    const { store, drop } = await freshStore(url);
    const at = store.kind === 'postgres' ? ['--database-url', store.url] : ['--data', 'memory'];
    const running = await run(
      optionsFrom(['--port', '0', '--drain-seconds', '0', '--log-level', 'silent', ...at, ...args]),
    );
    stops.push(drop, () => running.stop());
    return running;
  }
  async function behind(server: RunningServer, added: Readonly<Record<string, string>>): Promise<string> {
    const proxy = await proxyTo(server.url, added);
    stops.push(() => proxy.end.close());
    return proxy.url;
  }

  describe('with --dev', () => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await start('--dev');
    });

    it.each<Record<string, string>>([
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-anything': '' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { via: '1.1 proxy' },
      { 'cf-connecting-ip': '203.0.113.9' },
    ])('no request reads the code of somebody else, or logs in without a password (%j)', async (added) => {
      const outside = await behind(server, added);
      const to = `victim${files++}@example.com`;
      expect((await post(`${outside}/sdk/v1/otps/email/login_or_create`, { email: to })).status).toBe(200);
      for (const path of [
        `/dev/inbox.json?to=${to}`,
        '/dev/inbox',
        '/dev/inbox/stream',
        '/dev/inbox.js',
        '/dev/control',
        authorize(server.url),
        '/accounts/google/gsi/client',
        '/accounts/google/jwks',
        `/v1/public/oauth/google/start?public_token=${PUBLIC_TOKEN}`,
      ]) {
        const reply = await fetch(outside + path, { redirect: 'manual' });
        expect(reply.status, path).toBe(403);
        expect(await reply.text()).not.toMatch(/passcode|<form|\d{6} is/u);
      }
      expect((await fetch(`${outside}/dev/inbox`, { method: 'DELETE' })).status).toBe(403);
      const people = { users: [{ email: `mine${to}`, session_duration_minutes: 60 }] };
      expect((await post(`${outside}/dev/control/users`, people)).status).toBe(403);
      const form = { method: 'POST', body: new URLSearchParams({ public_token: PUBLIC_TOKEN }) };
      expect((await fetch(`${outside}/v1/public/oauth/google/start`, form)).status).toBe(403);
      const chosen = { client_id: 'portico-test-client', email: to, email_verified: true };
      const origin = { origin: new URL(server.url).origin };
      expect((await post(`${outside}/accounts/google/gsi/credential`, chosen, origin)).status).toBe(403);
      // A direct request from this machine can read it.
      const near = (await (await fetch(`${server.url}/dev/inbox.json?to=${to}`)).json()) as Fields[];
      expect(near[0]?.['code']).toMatch(/^\d{6}$/u);
      expect((await fetch(`${server.url}/dev/control`)).status).toBe(200);
    });
  });

  describe('without --dev', () => {
    let server: RunningServer;
    const limits = { searches_per_network: { max: 3, seconds: 3600 } };
    beforeAll(async () => {
      server = await start('--project', projectFile({ ...SITE, limits }));
    });

    it('there is no inbox and no account without a password, whether or not the proxy says that it is one', async () => {
      for (const outside of [await behind(server, {}), await behind(server, { via: '1.1 proxy' }), server.url]) {
        for (const path of [
          '/dev/inbox',
          '/dev/inbox.json',
          '/dev/inbox/stream',
          '/dev/control',
          authorize(server.url),
        ]) {
          expect((await fetch(outside + path)).status, path).toBe(404);
        }
        for (const path of ['clock', 'faults', 'users', 'settings', 'snapshots', 'codes/expire']) {
          expect((await post(`${outside}/dev/control/${path}`, {})).status, path).toBe(404);
        }
        for (const path of ['/accounts/google/gsi/client', '/accounts/google/jwks', '/accounts/accounts.css']) {
          expect((await fetch(outside + path)).status, path).toBe(404);
        }
        const started = `${outside}/v1/public/oauth/google/start?public_token=${PUBLIC_TOKEN}`;
        expect(await (await fetch(started, { redirect: 'manual' })).text()).toContain('oauth_config_not_found');
        const oneTap = await post(`${outside}/sdk/v1/oauth/google/onetap/start`, { public_token: PUBLIC_TOKEN });
        expect(await oneTap.json()).toMatchObject({ error_type: 'oauth_config_not_found' });
      }
    });

    it('a page of the visitor’s own machine is not taken for the site', async () => {
      const outside = await behind(server, {});
      for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'https://evil.localhost']) {
        const reply = await post(`${outside}/sdk/v1/users/search`, { email: 'a@example.com' }, { origin });
        expect(reply.status, origin).toBe(403);
      }
      const link = { email: 'a@example.com', login_magic_link_url: 'http://localhost:8080/steal' };
      expect((await post(`${outside}/sdk/v1/magic_links/email/login_or_create`, link)).status).toBe(400);
    });

    it('a request through loopback gets no more guesses', async () => {
      const outside = await behind(server, {});
      const search = async () => (await post(`${outside}/sdk/v1/users/search`, { email: 'who@example.com' })).status;
      for (let i = 0; i < 3; i += 1) expect(await search()).toBe(200);
      expect(await search()).toBe(429);
    });

    it('captcha and telemetry tokens of tests are refused', async () => {
      const refused = [
        [{ captcha_settings: { enabled: true, siteKey: 'k' } }, 'needs captcha_settings.provider'],
        [{ dfp_protected_auth_enabled: true, dfp_protected_auth_mode: 'DECISIONING' }, 'calls no telemetry service'],
      ] as const;
      for (const [settings, reason] of refused) {
        const options = optionsFrom(['--data', 'memory', '--project', projectFile({ ...SITE, ...settings })]);
        await expect(run(options)).rejects.toThrow(reason);
      }
    });
  });
});

describe('the start of a developer’s server on the internet', () => {
  const starting =
    (...args: readonly string[]) =>
    async () =>
      run(optionsFrom(['--data', 'memory', ...args]));

  it.each([
    [['--dev', '--host', '0.0.0.0'], /^--dev serves this machine only/u],
    [['--dev', '--host', '::'], /^--dev serves this machine only/u],
    [['--dev', '--host', '192.0.2.1'], /^--dev serves this machine only/u],
    [['--dev', '--project', projectFile({ issuer: 'https://auth.shop.example' })], /^--dev .* issuer must be null/u],
    [['--dev', '--project', projectFile({ issuer: 'http://auth.shop.example' })], /^--dev .* issuer must be null/u],
    [['--dev', '--project', projectFile({ ...SITE, allow_loopback: false })], /^--dev .* allow_loopback: false/u],
    [[], /^Give --project FILE .* with your origins and redirect URLs, or --dev/u],
    [['--project', projectFile({})], /redirect_urls must be of one page of yours or more/u],
  ])('the start is refused for %j', async (args, sentence) => {
    const error: unknown = await starting(...args)().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
  });
});

describe('the output on the operator’s terminal', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' }) as string;
  const jwk = privateKey.export({ format: 'jwk' });
  const profile = { profile_id: 'p', issuer: 'https://issuer.example', audience: 'here' };
  const withKey = (field: object) => ({ ...SITE, trusted_auth_token_profiles: [{ ...profile, ...field }] });
  const secret = 'tYbX2q-Zw8RkLmP0vQe-0123456789';

  it.each<readonly [string, object | string]>([
    ['a private key as public_key', withKey({ public_key: pem })],
    ['a private key beside its public one', withKey({ public_key: publicPem + pem })],
    [
      'a private key in the words of SEC 1',
      withKey({ public_key: privateKey.export({ format: 'pem', type: 'sec1' }) }),
    ],
    ['a private JWK as text', withKey({ public_key: JSON.stringify(jwk) })],
    ['a private JWK as public_key', withKey({ public_key: jwk })],
    ['a private JWK', withKey({ jwks: { keys: [jwk] } })],
    ['a private JWK where the set should be', withKey({ jwks: jwk })],
    ['a part of a private RSA key', withKey({ jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', p: secret }] } })],
    ['a client secret', { ...SITE, clients: [{ client_id: 'a', client_secret: secret }] }],
    ['a client secret for its hash', { ...SITE, clients: [{ client_id: 'a', client_secret_hash: secret }] }],
    ['a secret for the public token', { ...SITE, public_token: secret }],
    ['a password in an address', { ...SITE, redirect_urls: [`https://me:${secret}@shop.example/`] }],
    ['a password in an origin', { ...SITE, origins: [`https://me:${secret}@shop.example`] }],
    ['a secret as the name of a field', { ...SITE, [secret]: true }],
    ['a secret as the name of a limit', { ...SITE, limits: { [secret]: 1 } }],
    ['a secret in what is not JSON', `{"public_token": "${secret}" oops ${secret}}`],
    ['a key whose lines were not escaped', `{"public_key": "${pem}"}`],
    ['a key alone', pem],
  ])('the terminal shows nothing of %s', async (_, content) => {
    const options = optionsFrom(['--data', 'memory', '--project', projectFile(content)]);
    const error: unknown = await run(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    const { message, cause } = error as Error;
    expect(cause).toBeUndefined();
    expect(message).toMatch(/project file/u);
    const secrets = [secret, pem.split('\n')[1] ?? '', pem.split('\n')[2] ?? '', String(jwk.d)];
    for (const text of secrets) {
      for (let at = 0; at + 6 <= text.length; at += 1) expect(message).not.toContain(text.slice(at, at + 6));
    }
    expect(message).not.toContain('PRIVATE');
  });
});
