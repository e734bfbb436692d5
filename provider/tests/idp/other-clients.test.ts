import type { RequestListener, Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainLogin } from '#tests/clients/arctic.ts';
import { keyedLogin } from '#tests/clients/oauth4webapi.ts';
import { pageLogin } from '#tests/clients/oidc-client-ts.ts';
import { authJsApp, expressApp, passportApp } from '#tests/clients/server-side.mjs';
import { systemClock } from '#provider/base/platform.ts';
import { signLogoutToken, type EndedSession } from '#provider/base/security/logout-token.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { as, askedIn, PAGE, SETTINGS } from '../kit/idp-harness.ts';
import { listen, stop } from './oidcc/subject.ts';

const CALLBACK = 'https://client.example/callback';
const BYE = 'https://client.example/bye';
const SECRET = 'a secret of the client';
const scopes = ['openid', 'profile', 'email', 'phone', 'offline_access'];

/** Clients that nobody here wrote, over HTTP, by the clock of this machine. */
describe.each(EITHER_DATABASE)('a client of others, on %s', (_, url) => {
  let provider: Provider;
  let issuer: URL;
  let user: Fields;
  let key: CryptoKey;
  const servers: Server[] = [];
  const origins: Record<string, string> = {};
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    const op = await listen();
    servers.push(op.server);
    issuer = op.issuer;
    const apps: Readonly<Record<string, (settings: Parameters<typeof passportApp>[0]) => RequestListener>> = {
      passport: passportApp,
      express: expressApp,
      authjs: authJsApp,
    };
    const served = await Promise.all(
      Object.entries(apps).map(async ([client_id, makeApp]) => ({ client_id, makeApp, ...(await listen()) })),
    );
    const confidential = {
      client_type: 'confidential',
      client_secret_hash: tokenHash(SECRET),
      name: 'Client',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [BYE],
      scopes,
    };
    const { client_secret_hash: _hash, ...without } = confidential;
    provider = await makeProvider(url, {
      clock: systemClock,
      project: projectFrom({
        ...SETTINGS,
        issuer: issuer.origin,
        clients: [
          {
            ...without,
            client_id: 'keyed',
            jwks: { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] },
            require_pushed_authorization_requests: true,
            dpop_bound_access_tokens: true,
          },
          { ...without, client_id: 'page', client_type: 'public' },
          { ...confidential, client_id: 'plain' },
          ...served.map(({ client_id, issuer: at }) => ({
            ...confidential,
            client_id,
            pkce_required: client_id === 'authjs',
            redirect_uris: [`${at.origin}/callback`, `${at.origin}/auth/callback/portico`],
            post_logout_redirect_uris: [at.origin],
          })),
        ],
      }),
    });
    const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
    op.answer((request, response) => void listener(request, response));
    for (const { client_id, makeApp, issuer: at, server, answer } of served) {
      origins[client_id] = at.origin;
      servers.push(server);
      answer(makeApp({ issuer: issuer.origin, client_id, client_secret: SECRET, origin: at.origin }));
    }
    user = await provider.signIn('edith@example.com');
  });
  afterAll(async () => {
    await Promise.all([...servers.map(stop), provider.close()]);
  });

  /** The person is led to the project's page, and allows what it shows. */
  const person = async (address: URL): Promise<URL> => {
    const reply = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html' } });
    const location = new URL(reply.headers.get('location') ?? 'about:blank');
    if (!location.href.startsWith(PAGE)) throw new Error(`led to ${location.href}`);
    const allowed = { ...askedIn(location), consent_granted: true };
    const { data } = await provider.post('/idp/oauth/authorize/submit', allowed, as(user));
    return new URL(String(data['redirect_uri']));
  };

  it('oauth4webapi: a pushed request, private_key_jwt, bound tokens, refresh, introspection, and revocation instead of a logout', async () => {
    const login = { issuer, client_id: 'keyed', redirect_uri: CALLBACK, key, person };
    const { before, after, ...result } = await keyedLogin(login);
    expect(result).toMatchObject({ type: 'dpop', sub: user['user_id'], revoked: 'ended' });
    expect(result.introspected).toMatchObject({ active: true, client_id: 'keyed', token_type: 'DPoP' });
    expect([before.email, after.email]).toEqual(['edith@example.com', 'edith@example.com']);
  });

  it('oidc-client-ts: a page that signs in, refreshes, and logs out', async () => {
    const party = { issuer, client_id: 'page', redirect_uri: CALLBACK, post_logout_redirect_uri: BYE, person };
    const { profile, state, isOther, logout, signedOut } = await pageLogin(party);
    expect([profile.sub, profile.email, state, isOther]).toEqual([
      user['user_id'],
      'edith@example.com',
      { page: 3 },
      true,
    ]);
    const reply = await fetch(logout, { redirect: 'manual' });
    const page = new URL(reply.headers.get('location') ?? 'about:blank');
    const fields = Object.fromEntries([...page.searchParams].filter(([, value]) => value !== ''));
    const { data } = await provider.post('/oauth/logout/start', fields, as(user));
    expect(data['consent_required']).toBe(false);
    expect(String(data['redirect_uri'])).toMatch(/^https:\/\/client\.example\/bye/u);
    await signedOut(new URL(String(data['redirect_uri'])));
  });

  it('arctic: signs in, refreshes, and revokes instead of a logout', async () => {
    const login = { issuer, client_id: 'plain', client_secret: SECRET, redirect_uri: CALLBACK, person };
    const { isOwn, claims, statuses } = await plainLogin(login);
    expect(claims).toMatchObject({ sub: user['user_id'], aud: 'plain' });
    expect([isOwn, statuses]).toEqual([true, [200, 401]]);
  });

  /** The browser of a person at an app with a server. It stops at what is no redirect, and at the project's page for a logout. */
  const browserAt = (origin: string) => {
    const jar = new CookieJarOfBrowser();
    const open = async (path: string, form?: Readonly<Record<string, string>>) => {
      let next = new URL(path, origin);
      let body = form === undefined ? undefined : new URLSearchParams(form);
      for (let steps = 0; steps < 8; steps += 1) {
        // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
        const reply = await fetch(next, {
          redirect: 'manual',
          method: body === undefined ? 'GET' : 'POST',
          headers: { cookie: jar.sentTo(next.href) },
          ...(body === undefined ? {} : { body }),
        });
        jar.receive(next.href, reply.headers.getSetCookie());
        const location = reply.headers.get('location');
        // oxlint-disable-next-line no-await-in-loop
        if (location === null) return { at: next, text: await reply.text() };
        body = undefined;
        const target = new URL(location, next);
        const isAuthorization = target.href.startsWith(`${issuer.origin}/oauth2/authorize`);
        // oxlint-disable-next-line no-await-in-loop
        next = isAuthorization ? await person(target) : target;
        if (next.origin !== origin) return { at: next, text: '' };
      }
      throw new Error(`too many redirects, the last to ${next.href}`);
    };
    return { open };
  };

  it('express-openid-connect: signs in, refreshes, calls, and logs out at the provider', async () => {
    const { open } = browserAt(origins['express'] ?? '');
    const { text } = await open('/login');
    expect(JSON.parse(text)).toEqual({ sub: user['user_id'], email: 'edith@example.com', refreshed: true });
    const { at } = await open('/logout');
    expect(`${at.origin}${at.pathname}`).toBe(`${issuer.origin}/oauth2/logout`);
    const left = await fetch(at, { redirect: 'manual' });
    expect([left.status, left.headers.get('location')?.startsWith(PAGE)]).toEqual([303, true]);
    expect(JSON.parse((await open('/')).text)).toEqual({});
  });

  it('express-openid-connect: is logged out by a logout token of this issuer for this app, and by no other', async () => {
    const origin = origins['express'] ?? '';
    const { open } = browserAt(origin);
    await open('/login');
    const sidOf = async () => (JSON.parse((await open('/session')).text) as { readonly sid: string | null }).sid;
    const sid = String(await sidOf());
    const [iss, sub, client_id] = [issuer.origin, String(user['user_id']), 'express'];
    const key = await signingKey(provider.services, 'apps');
    const { privateKey } = await generateKeyPair('RS256');
    const post = async (session: EndedSession, to: Parameters<typeof signLogoutToken>[2]) => {
      const by = { random: provider.services.random, now: systemClock.now() };
      const body = new URLSearchParams({ logout_token: await signLogoutToken(by, session, to) });
      return (await fetch(`${origin}/backchannel-logout`, { method: 'POST', body })).status;
    };
    const own = { iss, sub, sid };
    const others = [
      await post(own, { client_id, key: { ...key, privateKey } }),
      await post({ ...own, iss: 'https://login.evil.example' }, { client_id, key }),
      await post(own, { client_id: 'plain', key }),
    ];
    expect([others, await sidOf()]).toEqual([[400, 400, 400], sid]);
    expect([await post(own, { client_id, key }), await sidOf()]).toEqual([204, null]);
  });

  it('passport-openidconnect: signs in without a proof key, and logs out of the app; it keeps no tokens to refresh', async () => {
    const { open } = browserAt(origins['passport'] ?? '');
    expect(JSON.parse((await open('/login')).text)).toEqual({ sub: user['user_id'], email: 'edith@example.com' });
    expect(JSON.parse((await open('/logout')).text)).toEqual({});
  });

  it('Auth.js: signs in with PKCE, state and nonce, and signs out of the app; a refresh is code of the app', async () => {
    const { open } = browserAt(origins['authjs'] ?? '');
    const { csrfToken } = JSON.parse((await open('/auth/csrf')).text) as { readonly csrfToken: string };
    await open('/auth/signin/portico', { csrfToken, callbackUrl: `${origins['authjs'] ?? ''}/auth/session` });
    const session = JSON.parse((await open('/auth/session')).text) as Fields;
    expect(session).toMatchObject({ user: { email: 'edith@example.com' } });
    await open('/auth/signout', { csrfToken, callbackUrl: `${origins['authjs'] ?? ''}/auth/session` });
    expect((await open('/auth/session')).text).toBe('null');
  });
});
