import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import getPort from 'get-port';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { start, stop } from '#scripts/lib/run.ts';
import { hasProgram } from '#scripts/lib/front-proxies.ts';
import { isInstalled } from '#scripts/lib/programs.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { startApache } from '../kit/apache.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { FollowingBrowser } from '../kit/following-browser.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { tlsFront } from '../kit/tls-front.ts';
import { CLIENTS, newerNode, runWatched } from '../kit/watched-program.ts';

const SECRET = 'a secret of the client';
const scopes = ['openid', 'email', 'offline_access'];

/** Programs of others that are no packages of npm, or that open a browser. */
describe.each(EITHER_DATABASE)('a program of others, on %s', (_, url) => {
  let op: ServedProvider;
  let folder: string;
  let port: number;
  beforeAll(async () => {
    await ensureDeps(CLIENTS);
    folder = mkdtempSync(join(tmpdir(), 'portico-programs-'));
    port = await getPort();
    op = await servedProvider(url, () => ({
      agents: { registration: 'open', scopes },
      clients: [
        {
          client_id: 'desktop',
          client_type: 'public',
          name: 'Desktop',
          redirect_uris: ['http://127.0.0.1/callback'],
          scopes,
        },
        { client_id: 'tool', client_type: 'public', name: 'Tool', device_authorization_allowed: true, scopes },
        {
          client_id: 'apache',
          client_type: 'confidential',
          client_secret_hash: tokenHash(SECRET),
          name: 'Apache',
          redirect_uris: [`http://localhost:${port}/callback`],
          post_logout_redirect_uris: [`http://localhost:${port}/out.html`],
          scopes,
        },
      ],
    }));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await op.close();
  });

  it('AppAuth: opens the browser, signs in, refreshes, and revokes instead of a logout', async () => {
    // What it opens addresses with.
    const browser = `#!${process.execPath}\nfetch(process.argv[2]);\n`;
    writeFileSync(join(folder, 'xdg-open'), browser, { mode: 0o755 });
    const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
    const args = ['--import', './extensions.mjs', 'app-auth.mjs', op.issuer, 'desktop', String(await getPort())];
    const { code, output } = await runWatched(op.issuer, [newerNode(), ...args], { env });
    expect([code, output]).toEqual([0, expect.stringContaining('"isRevoked":true')]);
    const { idToken, ...result } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Fields;
    expect(result).toEqual({ isOther: true, isRevoked: true, status: 401 });
    expect(decodeJwt(String(idToken))).toMatchObject({ sub: op.user['user_id'], aud: 'desktop' });
  });

  it.runIf(isInstalled('modAuthOpenidc'))(
    'mod_auth_openidc: signs in, refreshes, and logs out at the provider',
    async () => {
      const end = await startApache({ client_id: 'apache', client_secret: SECRET, issuer: op.issuer, port });
      try {
        const at = `http://localhost:${port}`;
        const browser = new FollowingBrowser();
        const { text, status } = await browser.open(`${at}/index.html`);
        expect([status, text]).toEqual([200, 'A page for those who are signed in.']);
        // Its token is near its end, by the setting of this app: each request refreshes it.
        const again = await browser.send(new URL(`${at}/index.html`));
        expect([again.status, again.headers.get('x-user')]).toEqual([200, 'edith@example.com']);
        const { db } = op.provider.services;
        const tokens = await db.selectFrom('oauth_refresh_tokens').selectAll().execute();
        expect(tokens.length).toBeGreaterThan(1);
        const out = await browser.open(`${at}/callback?logout=${encodeURIComponent(`${at}/out.html`)}`);
        expect(out).toMatchObject({ status: 200, text: 'Out.' });
        expect((await browser.send(new URL(`${at}/index.html`))).status).toBe(302);
      } finally {
        await end();
      }
    },
  );

  it.runIf(hasProgram('openssl'))('@hono/oidc-auth: signs in over TLS, refreshes, and logs out', async () => {
    const [at, front] = [await getPort(), { certificate: '' }];
    const origin = `http://localhost:${at}`;
    const settings = () => ({
      clients: [
        {
          client_id: 'hono',
          client_type: 'confidential',
          client_secret_hash: tokenHash(SECRET),
          name: 'Hono',
          redirect_uris: [`${origin}/callback`],
          scopes,
        },
      ],
    });
    const secure = await servedProvider(url, settings, async (plain) => Object.assign(front, await tlsFront(plain)));
    const env = {
      NODE_EXTRA_CA_CERTS: front.certificate,
      PORT: String(at),
      OIDC_AUTH_SECRET: 'a secret of the cookies of this app',
      OIDC_AUTH_REFRESH_INTERVAL: '0',
      OIDC_ISSUER: secure.issuer,
      OIDC_CLIENT_ID: 'hono',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_SCOPES: scopes.join(' '),
    };
    const app = start(newerNode(), ['hono-app.mjs'], { cwd: CLIENTS, env: { ...process.env, ...env } });
    try {
      const browser = new FollowingBrowser(readFileSync(front.certificate, 'utf8'));
      // With this setting each request refreshes.
      for (let visits = 0; visits < 3; visits += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one browser
        const { text } = await browser.open(`${origin}/`);
        expect(JSON.parse(text)).toMatchObject({ sub: secure.user['user_id'], email: 'edith@example.com' });
      }
      expect((await browser.open(`${origin}/logout`)).text).toBe('out');
      const { db } = secure.provider.services;
      expect(await db.selectFrom('oauth_refresh_tokens').selectAll().execute()).toEqual([]);
    } finally {
      await stop(app);
      await secure.close();
    }
  });

  describe.runIf(isInstalled('oidcAgent'))('oidc-agent', () => {
    const withAgent = async <T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> => {
      const home = mkdtempSync(join(folder, 'agent-'));
      mkdirSync(join(home, '.oidc-agent'));
      const env = { HOME: home, OIDC_ENCRYPTION_PW: 'a password' };
      const { output } = await runWatched(op.issuer, ['oidc-agent', '--no-autoload'], { env });
      const found = (name: string) => new RegExp(`${name}=([^;]*);`, 'u').exec(output)?.[1] ?? '';
      try {
        return await work({ ...env, OIDC_SOCK: found('OIDC_SOCK'), OIDCD_PID: found('OIDCD_PID') });
      } finally {
        process.kill(Number(found('OIDCD_PID')));
      }
    };
    const tokenOf = async (env: Record<string, string>, ...args: readonly string[]) =>
      decodeJwt((await runWatched(op.issuer, ['oidc-token', ...args], { env })).output.trim());
    const QUIET = [
      '--pw-env',
      '--prompt=none',
      '--no-url-call',
      '--confirm-default',
      '--scope=openid email offline_access',
    ];

    it('signs in by a device code, refreshes, and ends its access', () =>
      withAgent(async (env) => {
        const args = [`--iss=${op.issuer}`, '--client-id=tool', '--client-secret=', '--redirect-uri=', '--flow=device'];
        const made = await runWatched(op.issuer, ['oidc-gen', 'device', ...args, ...QUIET], { env });
        expect([made.code, made.output]).toEqual([0, expect.stringMatching(/device/u)]);
        const first = await tokenOf(env, 'device');
        expect(first).toMatchObject({ client_id: 'tool', sub: op.user['user_id'] });
        expect((await tokenOf(env, '--force-new', 'device'))['jti']).not.toBe(first['jti']);
        const { output: token } = await runWatched(op.issuer, ['oidc-token', 'device'], { env });
        const headers = { authorization: `Bearer ${token.trim()}` };
        const about = async () => (await fetch(`${op.issuer}/oauth2/userinfo`, { headers })).status;
        expect(await about()).toBe(200);
        await runWatched(op.issuer, ['oidc-gen', '--delete', 'device', '--confirm-yes', '--pw-env'], { env });
        expect(await about()).toBe(401);
      }));

    it('registers itself, and signs in', () =>
      withAgent(async (env) => {
        const args = [`--iss=${op.issuer}`, '--flow=code', `--port=${await getPort()}`, '--no-scheme'];
        const made = await runWatched(op.issuer, ['oidc-gen', 'registered', ...args, ...QUIET], { env });
        expect([made.code, made.output]).toEqual([0, expect.stringMatching(/registered/u)]);
        expect(await tokenOf(env, 'registered')).toMatchObject({ client_id: expect.stringMatching(/^agent-/u) });
      }));
  });
});
