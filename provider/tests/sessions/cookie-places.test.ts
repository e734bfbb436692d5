import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { ANY_DATABASE, basic, type Fields, makeProvider, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { administer } from '../kit/managing.ts';

const PROFILE = 'trusted-auth-token-profile-test';

/** A project at `api.` of the host, with a page at `app.` of it. */
function projectAt(host: string, session_cookies: Fields, fields: Fields = {}) {
  const page = `https://app.${host}`;
  return projectFrom(
    {
      issuer: `https://api.${host}`,
      origins: [page],
      redirect_urls: [`${page}/`],
      default_login_redirect_url: `${page}/`,
      default_signup_redirect_url: `${page}/`,
      trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
      session_cookies,
      ...fields,
    },
    false,
  );
}

let users = 0;

/** A page of a project, in the browser with these cookies. */
function openPage(provider: Provider, project: ReturnType<typeof projectAt>, jar: CookieJarOfBrowser) {
  const services = { ...provider.services, project };
  const app = createApp({ ...services, loopback: false, dev: false });
  const [page = ''] = project.origins;
  const api = project.issuer ?? '';
  const send = async (path: string, body: Fields = {}) => {
    const url = `${api}/sdk/v1${path}`;
    const reply = await app.request(url, {
      method: 'POST',
      headers: {
        authorization: basic(project.public_token, project.public_token),
        cookie: jar.sentTo(url),
        origin: page,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const lines = reply.headers.getSetCookie().filter((line) => !line.startsWith('__Host-portico_device='));
    jar.receive(url, lines);
    const { data, error_type } = (await reply.json()) as Fields;
    const shown = data as Fields | undefined;
    const session = shown?.['session'] as Fields | undefined;
    return { status: reply.status, type: error_type, id: session?.['session_id'], data: shown, lines };
  };
  return {
    send,
    async signUp() {
      const email = `place-${(users += 1)}@example.com`;
      const { token } = await administer(services, 'trusted-token', { profile: PROFILE, email });
      const made = await send('/sessions/attest', { profile_id: PROFILE, token, session_duration_minutes: 60 });
      expect([made.status, made.type]).toEqual([200, undefined]);
      return made;
    },
    authenticate: async () => send('/sessions/authenticate'),
    revoke: async () => send('/sessions/revoke'),
    /** The names of the session's cookies that the browser sends to the API, in its order. */
    sent: () => [...jar.sentTo(`${api}/sdk/v1/`).matchAll(/(?:^|; )([^=]+)=/gu)].map(([, name]) => name),
  };
}

const HOST = 'docs.example.com';
const PLACES = {
  'the host': { http_only: true, domain: HOST },
  'its parent': { http_only: true, domain: 'example.com' },
  'other names': { http_only: true, domain: HOST, names: { token: 'a', jwt: 'b' } },
  'another name of the JWT on its parent': {
    http_only: true,
    domain: 'example.com',
    names: { token: 'stytch_session', jwt: 'c' },
  },
  'names with a prefix': { http_only: true, domain: HOST, names: { token: '__Secure-a', jwt: '__Secure-b' } },
} as const satisfies Record<string, Fields>;
type PlaceName = keyof typeof PLACES;
const NAMED = Object.keys(PLACES) as PlaceName[];
const CHANGES = NAMED.flatMap((from) => NAMED.filter((to) => to !== from).map((to) => [from, to] as const));
const tokenOf = (place: PlaceName): string => projectAt(HOST, PLACES[place]).session_cookies.names.token;
const namesOf = (place: PlaceName): readonly string[] => {
  const { names } = projectAt(HOST, PLACES[place]).session_cookies;
  return [names.token, names.jwt, `${names.token}_hint`].sort();
};

describe('HttpOnly cookies of earlier settings', () => {
  const provider = suiteProvider(ANY_DATABASE, { project: projectAt(HOST, PLACES['the host']), loopback: false });
  const open = (place: PlaceName, jar: CookieJarOfBrowser) => openPage(provider, projectAt(HOST, PLACES[place]), jar);

  it.each(CHANGES)('from %s to %s move with the session, and none stays after the sign-out', async (from, to) => {
    const jar = new CookieJarOfBrowser();
    const { id } = await open(from, jar).signUp();
    const page = open(to, jar);
    const found = await page.authenticate();
    // A user whose cookies have other names now logs in again.
    if (tokenOf(from) === tokenOf(to)) expect(found.id).toBe(id);
    else await page.signUp();
    expect(Array.from(page.sent(), String).sort((a, b) => (a < b ? -1 : 1))).toEqual(namesOf(to));
    expect((await page.authenticate()).status).toBe(200);
    expect((await page.revoke()).status).toBe(200);
    expect(page.sent()).toEqual([]);
  });

  it.each(CHANGES)('from %s to %s do not end the next login, when their session is over', async (from, to) => {
    const jar = new CookieJarOfBrowser();
    const before = open(from, jar);
    await before.signUp();
    const copy = new CookieJarOfBrowser();
    copy.receive(
      `https://api.${HOST}`,
      jar
        .sentTo(`https://api.${HOST}/`)
        .split('; ')
        .map((pair) => `${pair}; Path=/; Secure`),
    );
    expect((await open(from, copy).revoke()).status).toBe(200);
    const page = open(to, jar);
    expect((await page.authenticate()).status).toBe(401);
    const { id } = await page.signUp();
    expect(Array.from(page.sent(), String).sort((a, b) => (a < b ? -1 : 1))).toEqual(namesOf(to));
    for (let reload = 0; reload < 2; reload += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await page.authenticate()).id).toBe(id);
    }
    await page.revoke();
    expect(page.sent()).toEqual([]);
  });

  it('go back and forth with the settings', async () => {
    const jar = new CookieJarOfBrowser();
    const { id } = await open('the host', jar).signUp();
    for (const place of ['its parent', 'the host', 'its parent', 'the host'] as const) {
      const page = open(place, jar);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await page.authenticate()).id).toBe(id);
      expect(Array.from(page.sent(), String).sort((a, b) => (a < b ? -1 : 1))).toEqual(namesOf(place));
    }
  });

  it('take the secret of a trusted browser along', async () => {
    const jar = new CookieJarOfBrowser();
    const mfa = { policy: 'when_enrolled', trusted_devices: { days: 30 } };
    const openWith = (place: PlaceName) => openPage(provider, projectAt(HOST, PLACES[place], { mfa }), jar);
    await openWith('the host').signUp();
    jar.receive(`https://api.${HOST}/`, [`stytch_trusted_device=secret; Path=/; Domain=${HOST}; Secure; HttpOnly`]);
    await openWith('its parent').authenticate();
    expect(jar.sentTo(`https://api.${HOST}/`).match(/stytch_trusted_device=secret/gu)).toHaveLength(1);
    expect(jar.sentTo('https://other.example.com/')).toContain('stytch_trusted_device=secret');
  });

  it('of a release that did not write their place are gone after the sign-out, too', async () => {
    const jar = new CookieJarOfBrowser();
    await open('its parent', jar).signUp();
    jar.receive(`https://api.${HOST}`, ['stytch_session_hint=1; Path=/; Domain=example.com']);
    const page = open('the host', jar);
    await page.revoke();
    expect(page.sent()).toEqual([]);
  });

  it('are expired where the server keeps no session in cookies any more', async () => {
    const jar = new CookieJarOfBrowser();
    await open('its parent', jar).signUp();
    const page = openPage(provider, projectAt(HOST, {}), jar);
    await page.authenticate();
    expect(page.sent()).toEqual([]);
  });

  it('cost nothing while the settings stay', async () => {
    const page = open('the host', new CookieJarOfBrowser());
    const names = (lines: readonly string[]) => lines.map((line) => line.split('=')[0]);
    expect(names((await page.signUp()).lines)).toEqual(['stytch_session', 'stytch_session_jwt', 'stytch_session_hint']);
    expect(names((await page.authenticate()).lines)).toEqual(['stytch_session_jwt', 'stytch_session_hint']);
    expect(names((await page.revoke()).lines)).toHaveLength(3);
  });

  it('are only those whose hint this server has signed', async () => {
    const jar = new CookieJarOfBrowser();
    const page = open('the host', jar);
    await page.signUp();
    const [, hint = ''] = /stytch_session_hint=([^;]*)/u.exec(jar.sentTo(`https://api.${HOST}/`)) ?? [];
    const [token, , jwt, signature] = hint.split(':');
    for (const [name, value] of [
      // For other cookies, for another domain, and without a signature.
      ['other_hint', hint],
      ['stytch_session_hint', [token, 'example.com', jwt, signature].join(':')],
      ['stytch_session_hint', [token, 'example.com', jwt].join(':')],
      ['stytch_session_hint', [token, `${HOST}; Path=/x`, 'a', signature].join(':')],
    ] as const) {
      const forged = new CookieJarOfBrowser();
      forged.receive(`https://api.${HOST}`, [`${name}=${value.replaceAll('; ', '%3B')}; Path=/; Domain=example.com`]);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { lines } = await open('the host', forged).signUp();
      expect(lines).toHaveLength(3);
    }
  });
});

describe('two projects with HttpOnly cookies of the same names', () => {
  let outer: Provider;
  let inner: Provider;
  const OTHER = { project_id: 'project-test-other', public_token: 'public-token-test-other' };
  const OUTER = projectAt('example.com', { http_only: true, domain: 'example.com' }, OTHER);
  beforeAll(async () => {
    outer = await makeProvider(ANY_DATABASE, { project: OUTER, loopback: false });
    inner = await makeProvider(ANY_DATABASE, { project: projectAt(HOST, PLACES['the host']), loopback: false });
  });
  afterAll(async () => Promise.all([outer.close(), inner.close()]));

  it.each(['outer', 'inner'])('on a domain and its subdomain both keep their sessions; %s first', async (first) => {
    const jar = new CookieJarOfBrowser();
    const pages = {
      outer: openPage(outer, OUTER, jar),
      inner: openPage(inner, projectAt(HOST, PLACES['the host']), jar),
    };
    const order = first === 'outer' ? (['outer', 'inner'] as const) : (['inner', 'outer'] as const);
    const ids = new Map<string, unknown>();
    for (const name of order) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      ids.set(name, (await pages[name].signUp()).id);
    }
    for (const name of [...order, ...order]) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await pages[name].authenticate()).id).toBe(ids.get(name));
    }
    await pages.inner.revoke();
    expect((await pages.outer.authenticate()).id).toBe(ids.get('outer'));
    // A visitor of the inner project who has no session there.
    expect((await pages.inner.authenticate()).status).toBe(401);
    const again = await pages.inner.signUp();
    await pages.outer.revoke();
    expect((await pages.inner.authenticate()).id).toBe(again.id);
  });

  it('stay apart where the client of the outer one keeps its cookies, without a hint', async () => {
    const jar = new CookieJarOfBrowser();
    const { data } = await openPage(outer, projectAt('example.com', {}, OTHER), jar).signUp();
    const cookies = [
      ['stytch_session', data?.['session_token']],
      ['stytch_session_jwt', data?.['session_jwt']],
    ].map(([name, value]) => `${String(name)}=${String(value)}; Path=/; Domain=example.com; Secure`);
    jar.receive('https://app.example.com/', cookies);
    const page = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    const { id } = await page.signUp();
    expect((await page.authenticate()).id).toBe(id);
    await page.revoke();
    expect(page.sent()).toEqual(['stytch_session', 'stytch_session_jwt']);
    expect(jar.sentTo('https://app.example.com/')).toContain(String(data?.['session_token']));
  });

  it('stay apart where the outer one has no JWT, as between two proofs of a bound session', async () => {
    const jar = new CookieJarOfBrowser();
    const there = openPage(outer, OUTER, jar);
    const { id } = await there.signUp();
    const here = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    jar.receive('https://api.example.com/', ['stytch_session_jwt=; Max-Age=0; Path=/; Domain=example.com']);
    const own = await here.signUp();
    expect((await here.authenticate()).id).toBe(own.id);
    await here.revoke();
    expect((await there.authenticate()).id).toBe(id);
  });

  it('leave the secret of a trusted browser where it is: it may be that of either', async () => {
    const jar = new CookieJarOfBrowser();
    const names = { token: 'a', jwt: 'b' };
    await openPage(inner, projectAt(HOST, { http_only: true, domain: 'example.com', names }), jar).signUp();
    await openPage(outer, OUTER, jar).signUp();
    jar.receive('https://api.example.com/', ['stytch_trusted_device=secret; Path=/; Domain=example.com; Secure']);
    await openPage(inner, projectAt(HOST, PLACES['the host']), jar).signUp();
    expect(jar.sentTo('https://api.example.com/')).toContain('stytch_trusted_device=secret');
  });

  it('stay apart when the inner one changes its place', async () => {
    const jar = new CookieJarOfBrowser();
    const { id } = await openPage(outer, OUTER, jar).signUp();
    const before = openPage(inner, projectAt(HOST, PLACES['other names']), jar);
    await before.signUp();
    const after = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    const own = await after.signUp();
    expect(after.sent()).not.toContain('a');
    expect([(await openPage(outer, OUTER, jar).authenticate()).id, (await after.authenticate()).id]).toEqual([
      id,
      own.id,
    ]);
  });
});
