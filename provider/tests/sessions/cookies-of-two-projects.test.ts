import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { openPage, projectAt } from '../kit/cookie-places.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

const HOST = 'docs.example.com';
const PLACES = {
  'the host': { http_only: true, domain: HOST },
  'other names': { http_only: true, domain: HOST, names: { token: 'a', jwt: 'b' } },
};

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

  it('stay apart where the inner one has no JWT, and the only one is of the outer one', async () => {
    const jar = new CookieJarOfBrowser();
    await openPage(outer, OUTER, jar).signUp();
    const here = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    const { id } = await here.signUp();
    const ofOuter = jar.sentTo('https://api.example.com/');
    jar.receive(`https://api.${HOST}/`, [`stytch_session_jwt=; Max-Age=0; Path=/; Domain=${HOST}`]);
    expect((await here.authenticate()).id).toBe(id);
    await here.revoke();
    expect(jar.sentTo('https://api.example.com/')).toBe(ofOuter);
  });

  it('stay apart where the hint of an earlier release is all that the inner one has left', async () => {
    const jar = new CookieJarOfBrowser();
    const { data } = await openPage(outer, projectAt('example.com', {}, OTHER), jar).signUp();
    const cookies = ['session_token', 'session_jwt'].map((name, at) => {
      return `stytch_session${at === 0 ? '' : '_jwt'}=${String(data?.[name])}; Path=/; Domain=example.com; Secure`;
    });
    jar.receive('https://app.example.com/', cookies);
    jar.receive(`https://api.${HOST}/`, [`stytch_session_hint=1; Path=/; Domain=${HOST}`]);
    const page = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    expect((await page.authenticate()).status).toBe(401);
    expect(page.sent()).toEqual(['stytch_session', 'stytch_session_jwt']);
  });

  it('are all gone where a sibling host has added the session of another user of one of them', async () => {
    const jar = new CookieJarOfBrowser();
    await openPage(outer, OUTER, jar).signUp();
    const page = openPage(inner, projectAt(HOST, PLACES['the host']), jar);
    await page.signUp();
    const attacker = new CookieJarOfBrowser();
    await openPage(inner, projectAt(HOST, PLACES['the host']), attacker).signUp();
    const url = `https://api.${HOST}/`;
    const [token = ''] = /stytch_session=[^;]*/u.exec(attacker.sentTo(url)) ?? [];
    jar.receive(url, [
      `${token}; Path=/sdk; Domain=example.com`,
      `stytch_session_jwt=; Max-Age=0; Path=/; Domain=${HOST}`,
    ]);
    expect((await page.authenticate()).status).toBe(401);
    expect(page.sent()).toEqual([]);
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
