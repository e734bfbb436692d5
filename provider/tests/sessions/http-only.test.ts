import { describe, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { administer } from '../kit/managing.ts';
import { endSession } from '#provider/accounts/sessions/rows/ending.ts';
import { API, PAGE, pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import { basic, EITHER_DATABASE, MINUTE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import type { Fields } from '../kit/harness.ts';

const PASSWORD = 'correct horse battery staple 42';
/** The project, the place of the cookies, and a signature. */
const HINT = new RegExp(`^stytch_session_hint=${PUBLIC_TOKEN}:example\\.com:stytch_session_jwt:[\\da-f]{32}$`, 'u');

describe.each(EITHER_DATABASE)('session cookies that scripts cannot read, %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: PROJECT, loopback: false, dev: false });

  const { newAddress, openPage } = pagesOf(() => provider);

  it('are set at a login, with all attributes, and the reply holds no secret', async () => {
    const page = openPage();
    const { data, lines, text } = await page.signUp();
    expect(data).toMatchObject({ session_token: '', session_jwt: '' });
    const kept = 'Max-Age=3600; Path=/; SameSite=Lax; Domain=example.com; Secure';
    expect(lines.map((line) => line.replace(/=[^;]*/u, ''))).toEqual([
      `stytch_session; ${kept}; HttpOnly`,
      `stytch_session_jwt; ${kept}; HttpOnly`,
      `stytch_session_hint; ${kept}`,
    ]);
    expect(page.jar.readableAt(`${PAGE}/`)).toMatch(HINT);
    for (const name of ['stytch_session', 'stytch_session_jwt']) expect(text).not.toContain(page.cookie(name));
  });

  it("are read by the app's own server, and end there at a sign-out", async () => {
    const page = openPage();
    const { data } = await page.signUp();
    const { project_id: projectId, public_token: publicToken } = provider.services.project;
    const verifier = createVerifier({
      projectId,
      publicToken,
      apiUrl: 'https://api.example.com',
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
      fetch: async (url, init) => provider.app.request(url, init),
    });
    const request = new Request(PAGE, { headers: { cookie: page.jar.sentTo(`${PAGE}/`) } });
    const { user_id } = data;
    expect(await verifier.authenticateRequest(request)).toMatchObject({ user_id, source: 'jwt' });
    const fresh = { fresh: true };
    expect(await verifier.authenticateRequest(request, fresh)).toMatchObject({ user: { user_id }, source: 'api' });
    await page.send('/sessions/revoke');
    const ended = { status: 'signed-out', reason: 'session-ended' };
    expect(await verifier.authenticateRequest(request, fresh)).toEqual(ended);
  });

  it('authenticate calls; a refresh replaces the JWT alone, and an extension the token too', async () => {
    const page = openPage();
    const { data } = await page.signUp();
    expect((await page.send('/users/me', undefined, { method: 'GET' })).data['user_id']).toBe(data['user_id']);
    provider.clock.time += MINUTE;
    const refreshed = await page.authenticate();
    expect(refreshed.data).toMatchObject({ session_token: '', session_jwt: '', user_id: data['user_id'] });
    expect(refreshed.lines.map((line) => line.split('=')[0])).toEqual(['stytch_session_jwt', 'stytch_session_hint']);
    expect(refreshed.lines[0]).toContain('Max-Age=3540');
    const extended = await page.send('/sessions/authenticate', { session_duration_minutes: 120 });
    expect(extended.lines[0]).toMatch(/^stytch_session=.+Max-Age=7200/u);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }, 403, 'unregistered_origin'],
    ['a sibling host that is not registered', { origin: 'https://evil.example.com' }, 403, 'unregistered_origin'],
    ['a sandboxed frame', { origin: 'null' }, 403, 'unregistered_origin'],
    ['a program without an Origin', { origin: null }, 401, 'user_unauthenticated'],
    [
      'a request that the browser calls cross-site',
      { headers: { 'sec-fetch-site': 'cross-site' } },
      401,
      'user_unauthenticated',
    ],
    ['a navigation', { origin: null, headers: { 'sec-fetch-site': 'none' } }, 401, 'user_unauthenticated'],
  ])('do not count for %s', async (_who, sent, status, type) => {
    const page = openPage();
    await page.signUp();
    for (const path of ['/sessions/authenticate', '/sessions/revoke', '/passwords/session/reset']) {
      const refused = await page.send(path, path.endsWith('reset') ? { password: `${PASSWORD}!` } : {}, sent);
      expect([refused.status, refused.type, refused.lines]).toEqual([status, type, []]);
    }
    const read = await page.send('/users/me', undefined, { ...sent, method: 'GET' });
    expect([read.status, read.type]).toEqual([status, type]);
    expect((await page.authenticate()).status).toBe(200);
  });

  it('are not touched by a form of another site, which cannot name the project', async () => {
    const page = openPage();
    await page.signUp();
    for (const [type, status] of [
      ['application/x-www-form-urlencoded', 415],
      ['text/plain', 415],
      ['application/json', 401],
    ] as const) {
      const refused = await page.send('/sessions/revoke', {}, { headers: { authorization: '', 'content-type': type } });
      expect([refused.status, refused.lines]).toEqual([status, []]);
    }
    expect((await page.authenticate()).status).toBe(200);
  });

  it('are removed at a sign-out, and when the session has ended elsewhere', async () => {
    const page = openPage();
    await page.signUp();
    const copy = openPage();
    copy.jar.receive(API, [
      `stytch_session=${page.cookie('stytch_session')}; Domain=example.com`,
      'stytch_session_hint=1; Domain=example.com',
    ]);
    expect((await page.send('/sessions/revoke')).status).toBe(200);
    expect(page.jar.sentTo(API)).toBe('');
    expect((await copy.authenticate()).type).toBe('unauthorized_credentials');
    expect(page.jar.sentTo(API)).toBe('');
    expect((await copy.authenticate()).type).toBe('user_unauthenticated');

    const late = openPage();
    await late.signUp();
    provider.clock.time += 61 * MINUTE;
    expect((await late.authenticate()).type).toBe('unauthorized_credentials');
    expect(late.jar.sentTo(API)).toBe('');
  });

  it('are removed when the user ends this very session in the list of sessions', async () => {
    const page = openPage();
    const { data } = await page.signUp();
    const { session_id } = data['session'] as Fields;
    const ended = await page.send(`/users/sessions/${String(session_id)}/revoke`);
    expect([ended.status, page.jar.sentTo(API)]).toEqual([200, '']);
  });

  it('are removed when only the hint is left', async () => {
    const page = openPage();
    page.jar.receive(API, ['stytch_session_hint=1; Domain=example.com']);
    expect((await page.authenticate()).type).toBe('user_unauthenticated');
    expect(page.jar.sentTo(API)).toBe('');
  });

  it.each([0, 6])(
    'stay when a login in another tab has just replaced the token, of which the JWT is %s minutes old',
    async (age) => {
      const page = openPage();
      const login = { email: newAddress(), password: PASSWORD, session_duration_minutes: 60 };
      await page.send('/passwords', login);
      const before = page.jar.sentTo(API);
      provider.clock.time += age * MINUTE;
      await page.send('/passwords/authenticate', login);
      const after = page.jar.sentTo(API);
      // The request left before the reply to the login arrived.
      const refused = await page.authenticate({ headers: { cookie: before } });
      expect([refused.type, refused.lines]).toEqual(['unauthorized_credentials', []]);
      expect(page.jar.sentTo(API)).toBe(after);
      expect((await page.authenticate()).status).toBe(200);
    },
  );

  it('stay when a wrong password is refused', async () => {
    const page = openPage();
    const email = newAddress();
    await page.signUp(email);
    const wrong = { email, password: 'wrong', session_duration_minutes: 60 };
    const refused = await page.send('/passwords/authenticate', wrong);
    expect([refused.type, refused.lines]).toEqual(['unauthorized_credentials', []]);
    expect((await page.authenticate()).status).toBe(200);
  });

  it('replace a session that scripts can read, and its secret is not sent again', async () => {
    const old = openPage();
    const { data } = await old.signUp();
    const page = openPage();
    const upgraded = await page.authenticate({ secret: old.cookie('stytch_session') });
    expect(upgraded.data).toMatchObject({ user_id: data['user_id'], session_token: '', session_jwt: '' });
    expect(page.cookie('stytch_session')).toBe(old.cookie('stytch_session'));
    expect((await page.authenticate()).data['user_id']).toBe(data['user_id']);
  });

  it('win over a secret that a script sends', async () => {
    const [page, attacker] = [openPage(), openPage()];
    const { data } = await page.signUp();
    await attacker.signUp();
    const answered = await page.authenticate({ secret: attacker.cookie('stytch_session') });
    expect(answered.data['user_id']).toBe(data['user_id']);
  });

  it('of two users at once count for neither, and all of them are removed', async () => {
    const [page, attacker] = [openPage(), openPage()];
    await page.signUp();
    await attacker.signUp();
    // A sibling host can set cookies for the domain, with a path that puts them first.
    const tossed = `stytch_session=${attacker.cookie('stytch_session')}; Domain=example.com`;
    for (const path of ['/', '/sdk', '/sdk/v1/', '/sdk/v1/sessions/authenticate']) {
      page.jar.receive('https://evil.example.com/', [`${tossed}; Path=${path}`]);
    }
    await page.signUp();
    page.jar.receive('https://evil.example.com/', [`${tossed}; Path=/sdk/v1/sessions`]);
    const refused = await page.authenticate();
    expect(refused.type).toBe('unauthorized_credentials');
    expect(page.jar.sentTo(`${API}/sessions/authenticate`)).toBe('');
    const again = await page.signUp();
    expect((await page.authenticate()).data['user_id']).toBe(again.data['user_id']);
  });

  it('beside worthless ones of the same name still count, unless there are many', async () => {
    const page = openPage();
    const { data } = await page.signUp();
    const toss = (value: string, path: string): void =>
      page.jar.receive('https://evil.example.com/', [`stytch_session=${value}; Domain=example.com; Path=${path}`]);
    toss('garbage', '/sdk');
    expect((await page.authenticate()).data['user_id']).toBe(data['user_id']);
    for (const path of ['/sdk/', '/sdk/v1', '/sdk/v1/']) toss(`garbage-${path.length}`, path);
    expect((await page.authenticate()).type).toBe('unauthorized_credentials');
    expect(page.jar.sentTo(`${API}/sessions/authenticate`)).toBe('');
  });

  it('of two sessions of one user both end at a sign-out', async () => {
    const [page, other] = [openPage(), openPage()];
    const email = newAddress();
    await page.signUp(email);
    await other.signUp(email);
    const [first, second] = [page.jar.sentTo(API), other.jar.sentTo(API)];
    page.jar.receive('https://www.example.com/', [
      `stytch_session=${other.cookie('stytch_session')}; Domain=example.com; Path=/sdk`,
    ]);
    expect((await page.send('/sessions/revoke')).status).toBe(200);
    for (const cookie of [first, second]) {
      expect((await other.authenticate({ headers: { cookie } })).type).toBe('unauthorized_credentials');
    }
  });

  it('hold the session of an impersonator too', async () => {
    const page = openPage();
    const { data } = await page.signUp();
    const { token } = await administer(provider.services, 'impersonate', {
      user: data['user_id'] as string,
      by: 'operator',
    });
    const operator = openPage();
    const acting = await operator.send('/impersonation/authenticate', { impersonation_token: token });
    expect(acting.data).toMatchObject({ user_id: data['user_id'], session_token: '', session_jwt: '' });
    expect((await operator.authenticate()).data['user_id']).toBe(data['user_id']);
    expect(operator.jar.readableAt(`${PAGE}/`)).toMatch(HINT);
  });

  it('are removed after the session was deleted in the database, with the account', async () => {
    const page = openPage();
    const { data } = await page.signUp();
    await endSession(provider.services.db, (data['session'] as Fields)['session_id'] as string);
    expect((await page.send('/users/me', undefined, { method: 'GET' })).type).toBe('unauthorized_credentials');
    expect(page.jar.sentTo(API)).toBe('');
  });

  it('cannot get attributes from the path of a request', async () => {
    const page = openPage();
    await page.signUp();
    page.jar.receive(API, [
      'stytch_session=a; Path=/sdk',
      'stytch_session=b; Path=/sdk/v1',
      'stytch_session=c; Path=/',
    ]);
    const refused = await page.send('/users/emails/x;Domain=evil.example', undefined, { method: 'DELETE' });
    expect(refused.type).toBe('unauthorized_credentials');
    expect(refused.lines.join('\n')).not.toContain('evil');
  });

  it('on one machine have no Secure, and both the page and this server must be on the domain', async () => {
    const localAt = (domain: string) => {
      const project = projectFrom({ session_cookies: { http_only: true, domain } });
      return createApp({ ...provider.services, project, loopback: true, dev: true });
    };
    const ask = (host: string, page: string, domain = 'shop.localhost') =>
      localAt(domain).request(`http://${host}:4100/sdk/v1/sessions/authenticate`, {
        method: 'POST',
        headers: {
          origin: `http://${page}:3000`,
          authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
          cookie: 'stytch_session_hint=1',
        },
      });
    const [good, foreign, elsewhere] = await Promise.all([
      ask('api.shop.localhost', 'app.shop.localhost'),
      ask('api.shop.localhost', 'localhost'),
      ask('localhost', 'app.shop.localhost'),
    ]);
    expect(good.headers.getSetCookie()[0]).toBe(
      'stytch_session=; Max-Age=0; Path=/; SameSite=Lax; Domain=shop.localhost; HttpOnly',
    );
    // Not all browsers take `Domain=localhost`.
    const [first] = (await ask('localhost', 'localhost', 'localhost')).headers.getSetCookie();
    expect(first).toBe('stytch_session=; Max-Age=0; Path=/; SameSite=Lax; HttpOnly');
    expect([good.status, foreign.status, elsewhere.status]).toEqual([401, 403, 421]);
    expect(((await foreign.json()) as Fields)['error_message']).toContain('on a host of shop.localhost');
    expect(((await elsewhere.json()) as Fields)['error_message']).toContain(
      'Call this server at a host of shop.localhost',
    );
  });
});
