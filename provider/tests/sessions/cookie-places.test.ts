import { describe, expect, it } from 'vitest';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { openPage, projectAt } from '../kit/cookie-places.ts';
import { ANY_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

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

const namesIn = (lines: readonly string[]) => lines.map((line) => line.split('=')[0]);

/** Moves cookies of the host to the API's own host, which no hint tells: once to each path. */
function moveAway(jar: CookieJarOfBrowser, paths: readonly string[], names: readonly string[]): void {
  const url = `https://api.${HOST}/`;
  for (const name of names) {
    const [, value = ''] = new RegExp(`(?:^|; )${name}=([^;]*)`, 'u').exec(jar.sentTo(url)) ?? [];
    const copies = paths.map((path) => `${name}=${value}; Path=${path}; Secure`);
    jar.receive(url, [`${name}=; Max-Age=0; Path=/; Domain=${HOST}`, ...copies]);
  }
}

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

  it('leave the secret of a trusted browser and its time alone while the settings stay', async () => {
    const jar = new CookieJarOfBrowser();
    const mfa = { policy: 'when_enrolled', trusted_devices: { days: 30 } };
    const page = openPage(provider, projectAt(HOST, PLACES['the host'], { mfa }), jar);
    await page.signUp();
    jar.receive(`https://api.${HOST}/`, [`stytch_trusted_device=secret; Path=/; Domain=${HOST}; Secure; HttpOnly`]);
    expect(namesIn((await page.authenticate()).lines)).toEqual(['stytch_session_jwt', 'stytch_session_hint']);
  });

  it('with the same session twice, and in neither place of today, lose nothing', async () => {
    const jar = new CookieJarOfBrowser();
    const page = open('the host', jar);
    const { id } = await page.signUp();
    moveAway(jar, ['/', '/sdk'], ['stytch_session', 'stytch_session_jwt']);
    for (let reload = 0; reload < 2; reload += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await page.authenticate()).id).toBe(id);
      expect(page.sent().sort()).toEqual(namesOf('the host'));
    }
  });

  it('are gone after a sign-out, also one whose name is there once while another is there twice', async () => {
    const jar = new CookieJarOfBrowser();
    const page = open('the host', jar);
    await page.signUp();
    const [token = ''] = /stytch_session=[^;]*/u.exec(jar.sentTo(`https://api.${HOST}/`)) ?? [];
    moveAway(jar, ['/'], ['stytch_session_jwt']);
    jar.receive(`https://api.${HOST}/`, [`${token}; Path=/; Secure`]);
    expect(page.sent().sort()).toEqual(['stytch_session', ...namesOf('the host')]);
    expect((await page.revoke()).status).toBe(200);
    expect(page.sent()).toEqual([]);
  });

  it('of a release that did not write their place are gone after the sign-out, too', async () => {
    const jar = new CookieJarOfBrowser();
    await open('its parent', jar).signUp();
    jar.receive(`https://api.${HOST}`, ['stytch_session_hint=1; Path=/; Domain=example.com']);
    const page = open('the host', jar);
    await page.revoke();
    expect(page.sent()).toEqual([]);
  });

  it('move for a public token with signs that no cookie can have, too', async () => {
    const jar = new CookieJarOfBrowser();
    const fields = { public_token: 'public-token-test-a;b,"c"' };
    const { id } = await openPage(provider, projectAt(HOST, PLACES['its parent'], fields), jar).signUp();
    const page = openPage(provider, projectAt(HOST, PLACES['the host'], fields), jar);
    expect((await page.authenticate()).id).toBe(id);
    expect(page.sent().sort()).toEqual(namesOf('the host'));
  });

  it('are expired where the server keeps no session in cookies any more, once for all hints of a place', async () => {
    const jar = new CookieJarOfBrowser();
    await open('its parent', jar).signUp();
    const [hint = ''] = /stytch_session_hint=[^;]*/u.exec(jar.sentTo(`https://api.${HOST}/`)) ?? [];
    jar.receive(`https://api.${HOST}/`, [`${hint}; Path=/sdk/v1/x`, `${hint}; Path=/sdk`]);
    const page = openPage(provider, projectAt(HOST, {}), jar);
    expect((await page.authenticate()).lines).toHaveLength(3);
    expect(page.sent()).toEqual(['stytch_session_hint']);
  });

  it('cost nothing while the settings stay', async () => {
    const page = open('the host', new CookieJarOfBrowser());
    const { lines } = await page.signUp();
    expect(namesIn(lines)).toEqual(['stytch_session', 'stytch_session_jwt', 'stytch_session_hint']);
    expect(namesIn((await page.authenticate()).lines)).toEqual(['stytch_session_jwt', 'stytch_session_hint']);
    expect((await page.revoke()).lines).toHaveLength(3);
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
