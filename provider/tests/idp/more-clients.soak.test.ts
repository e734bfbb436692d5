import { join } from 'node:path';
import type { RequestListener, Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { FollowingBrowser } from '../kit/following-browser.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { listen, stop } from './oidcc/subject.ts';

const SECRET = 'a secret of the client';
const scopes = ['openid', 'profile', 'email', 'phone', 'offline_access'];
const PATHS = {
  next: '/api/auth/callback/portico',
  better: '/api/auth/callback/portico',
  grant: '/connect/portico/callback',
};
type Name = keyof typeof PATHS;

/** Frameworks that nobody here wrote, with the settings that their own readmes name. */
describe.each(EITHER_DATABASE)('an app with another library, on %s', (_, url) => {
  let op: ServedProvider;
  const servers: Server[] = [];
  const origins = new Map<Name, string>();
  beforeAll(async () => {
    await ensureDeps(join(ROOT, 'tests/clients-soak'));
    const { betterAuthApp, grantApp, nextAuthApp } = await import('#tests/clients-soak/web-apps.mjs');
    const apps: Readonly<Record<Name, (settings: Parameters<typeof grantApp>[0]) => RequestListener>> = {
      next: nextAuthApp,
      better: betterAuthApp,
      grant: grantApp,
    };
    const names = Object.keys(apps) as readonly Name[];
    const served = await Promise.all(names.map(async (name) => ({ name, ...(await listen()) })));
    op = await servedProvider(url, () => ({
      clients: served.map(({ name, issuer: { origin } }) => ({
        client_id: name,
        client_type: 'confidential',
        client_secret_hash: tokenHash(SECRET),
        name,
        redirect_uris: [`${origin}${PATHS[name]}`],
        scopes,
      })),
    }));
    for (const { name, issuer: at, server, answer } of served) {
      const { origin } = at;
      origins.set(name, origin);
      servers.push(server);
      answer(apps[name]({ issuer: op.issuer, client_id: name, client_secret: SECRET, origin }));
    }
  });
  afterAll(async () => {
    await Promise.all([...servers.map(stop), op.close()]);
  });

  const at = (name: Name, path: string): string => `${origins.get(name) ?? ''}${path}`;
  const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams({ ...fields, client_secret: SECRET }),
  });
  const refreshed = async (client_id: Name, refresh_token: unknown): Promise<number> =>
    (await fetch(`${op.issuer}/oauth2/token`, form({ client_id, grant_type: 'refresh_token', refresh_token: String(refresh_token) }))).status; // prettier-ignore

  it('next-auth 4: signs in with PKCE, state and nonce, and signs out of the app; a refresh is code of the app', async () => {
    const browser = new FollowingBrowser();
    const { csrfToken } = JSON.parse((await browser.open(at('next', '/api/auth/csrf'))).text) as { csrfToken: string };
    const callbackUrl = at('next', '/api/auth/session');
    const { text } = await browser.open(at('next', '/api/auth/signin/portico'), { csrfToken, callbackUrl });
    const session = JSON.parse(text) as Fields;
    expect(session).toMatchObject({ sub: op.user['user_id'], user: { email: 'edith@example.com' } });
    expect(await refreshed('next', session['refresh_token'])).toBe(200);
    await browser.open(at('next', '/api/auth/signout'), { csrfToken, callbackUrl });
    expect(JSON.parse((await browser.open(callbackUrl)).text)).toEqual({});
  });

  it('better-auth: signs in by discovery with PKCE, refreshes, and logs out', async () => {
    const browser = new FollowingBrowser();
    const origin = at('better', '');
    const post = async (path: string, fields: Fields) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json', origin };
      const reply = await browser.send(new URL(at('better', path)), JSON.stringify(fields), headers);
      return (await reply.json()) as Fields;
    };
    const { url: visit } = await post('/api/auth/sign-in/social', {
      provider: 'portico',
      callbackURL: '/api/auth/get-session',
    });
    const session = JSON.parse((await browser.open(visit)).text) as Fields;
    expect(session['user']).toMatchObject({ email: 'edith@example.com', emailVerified: true });
    const tokens = await post('/api/auth/refresh-token', { useAccountCookie: true });
    expect(tokens).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) });
    await post('/api/auth/sign-out', {});
    expect((await browser.open(at('better', '/api/auth/get-session'))).text).toBe('null');
  });

  it('grant: signs in with PKCE, state and nonce, and reads the profile; it has no refresh and no logout', async () => {
    const { text } = await new FollowingBrowser().open(at('grant', '/connect/portico'));
    const found = JSON.parse(text) as Fields;
    expect(found['profile']).toMatchObject({ sub: op.user['user_id'], email: 'edith@example.com' });
    expect(found['jwt']['id_token']['payload']).toMatchObject({ aud: 'grant', sub: op.user['user_id'] });
    expect(await refreshed('grant', found['refresh_token'])).toBe(200);
  });
});
