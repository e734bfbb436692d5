import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { createApp } from '#provider/operation/app.ts';
import { BoundBrowser, challengeIn, newBrowserKey, proofOf, signUpBound } from '../kit/bound-browser.ts';
import { API, BOUND_PROJECT, pagesOf } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const OFFER = 'secure-session-registration';
/** A proof, and the minute for which verifiers accept a JWT after its end. */
const WORTH = 3.5 * MINUTE;

/** Each one in a browser of its own. */
const OWNERS = SOAK ? 100 : 3;

// The thief has copied all cookies of a browser, but cannot copy the key.
describe.each(EITHER_DATABASE)('T203 to T206: copied cookies of a bound session, %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: BOUND_PROJECT, loopback: false, dev: false });
  const { openPage, copyOf } = pagesOf(() => provider);

  it(`are worth three and a half minutes at most, however often the thief uses them, each of ${OWNERS}`, async () => {
    const key = await newBrowserKey();
    const owners = [];
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as people log in
    for (let n = 0; n < OWNERS; n += 1) owners.push(await signUpBound(provider, openPage(), key));
    const thieves = owners.map(({ browser }) => copyOf(browser.page));
    const statuses = async () =>
      (await Promise.all(thieves.map(async (thief) => thief.authenticate()))).map(({ status }) => status);
    provider.clock.time += 2 * MINUTE;
    expect(new Set(await statuses())).toEqual(new Set([200]));
    provider.clock.time += WORTH - 2 * MINUTE;
    expect(await statuses()).toEqual(thieves.map(() => 401));
    const [owner] = owners;
    expect((await owner?.browser.refresh(owner.session_id))?.status).toBe(200);
    expect((await owner?.browser.page.authenticate())?.status).toBe(200);
  });

  soakIt(
    'are refused in every form: alone, in a header, with the JWT of another session, and to a server',
    async () => {
      const { browser, session_id } = await signUpBound(provider, openPage());
      const secret = browser.page.cookie('stytch_session');
      const other = await signUpBound(provider, openPage());
      provider.clock.time += WORTH;
      const jwt = browser.page.cookie('stytch_session_jwt');
      await other.browser.refresh(other.session_id);
      const empty = openPage();
      expect((await empty.authenticate({ secret })).status).toBe(401);
      expect((await empty.authenticate({ secret: jwt })).status).toBe(401);
      const mixed = copyOf(browser.page);
      const live = other.browser.page.cookie('stytch_session_jwt');
      mixed.jar.receive(API, [`stytch_session_jwt=${live}; Domain=example.com`]);
      // The cookies of two users are no session, as ever.
      expect((await mixed.send('/users/me', undefined, { method: 'GET' })).status).toBe(401);
      expect(mixed.jar.sentTo(API)).toBe('');
      expect((await browser.refresh(session_id)).status).toBe(200);
    },
  );

  soakIt('cannot be renewed with another key, an old challenge, or one of another session or use', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    const other = await signUpBound(provider, openPage());
    const thief = new BoundBrowser(copyOf(browser.page), await newBrowserKey(), provider.app);
    expect((await thief.refresh(session_id)).status).toBe(403);
    const { challenge } = await thief.askChallenge(session_id);
    const swapped = await proofOf(thief.key, challenge, { header: { jwk: thief.key.jwk } });
    expect((await thief.answer(session_id, swapped)).status).toBe(403);
    const ofOther = (await other.browser.askChallenge(other.session_id)).challenge;
    expect((await browser.answer(session_id, await proofOf(browser.key, ofOther))).status).toBe(403);
    const offered = challengeIn((await openPage().signUp()).headers.get(OFFER));
    expect((await browser.answer(session_id, await proofOf(browser.key, offered))).status).toBe(403);
    const wrongType = await proofOf(browser.key, challenge, { typ: 'JWT' });
    expect((await browser.answer(session_id, wrongType)).status).toBe(403);
    const good = await proofOf(browser.key, challenge);
    provider.clock.time += 3.5 * MINUTE;
    expect((await browser.answer(session_id, good)).status).toBe(403);
  });

  soakIt('cannot be renewed with a signature that its key did not make', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    const { challenge } = await browser.askChallenge(session_id);
    const good = await proofOf(browser.key, challenge);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const headed = (alg: string): string => `${encoded({ alg, typ: 'dbsc+jwt' })}.${payload}`;
    // What a careless server takes for the secret.
    const secret = Buffer.from(JSON.stringify(browser.key.jwk));
    const hmac = createHmac('sha256', secret).update(headed('HS256')).digest('base64url');
    const bytes = Buffer.from(signature, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1);
    const forged = [
      `${headed('none')}.`,
      `${headed('none')}.${signature}`,
      `${headed('HS256')}.${hmac}`,
      `${headed('RS256')}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      `${header}.${payload}.${bytes.toString('base64url')}`,
      `${header}.${encoded({ jti: challenge, sub: session_id })}.${signature}`,
      await proofOf(await newBrowserKey('RS256'), challenge),
      await proofOf(browser.key, challenge, { header: { crit: ['exp'], exp: 1 } }).catch(() => ''),
      `${good}.${signature}`,
    ];
    for (const proof of forged) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a thief tries them
      expect([(await browser.answer(session_id, proof)).status, proof]).toEqual([403, proof]);
    }
    expect((await browser.answer(session_id, good)).status).toBe(200);
  });

  soakIt('a proof counts once, also of ten at once at two servers', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    const apps = [provider.app, createApp(provider.services)];
    const browsers = apps.map((app) => new BoundBrowser(browser.page, browser.key, app));
    const { challenge } = await browser.askChallenge(session_id);
    const proof = await proofOf(browser.key, challenge);
    const replies = await Promise.all(
      Array.from({ length: 10 }, async (__, n) => browsers[n % 2]?.answer(session_id, proof)),
    );
    expect(replies.map((each) => each?.status ?? 0).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 403),
    ]);
    expect((await browser.answer(session_id, proof)).status).toBe(403);
    // Each with a challenge of its own, all are the same browser.
    const own = await Promise.all(Array.from({ length: 10 }, async (__, n) => browsers[n % 2]?.refresh(session_id)));
    expect(own.map((each) => each?.status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it('a key is registered once: neither a second one, nor two at once, nor without the cookie', async () => {
    const page = openPage();
    const { headers, data } = await page.signUp();
    const offer = headers.get(OFFER);
    const keys = await Promise.all(Array.from({ length: 4 }, async () => newBrowserKey()));
    const alone = new BoundBrowser(openPage(), await newBrowserKey(), provider.app);
    expect((await alone.register(offer)).status).toBe(401);
    const browsers = keys.map((key) => new BoundBrowser(page, key, provider.app));
    const replies = await Promise.all(browsers.map(async (browser) => browser.register(offer)));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    const winner = browsers[replies.findIndex(({ status }) => status === 200)];
    const loser = browsers[replies.findIndex(({ status }) => status === 401)];
    const { session_id: id } = data['session'] as { session_id: string };
    expect((await loser?.refresh(id))?.status).toBe(403);
    expect((await winner?.refresh(id))?.status).toBe(200);
    const audited = await provider.services.db
      .selectFrom('audit_log')
      .select(['actor_kind', 'details'])
      .where('event', '=', 'session_bound')
      .where('user_id', '=', String(data['user_id']))
      .execute();
    expect(audited).toEqual([{ actor_kind: 'user', details: { session_id: id } }]);
  });

  it.each([
    ['a page of the app', { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' }, 403],
    ['a script of this origin', { 'sec-fetch-mode': 'cors' }, 403],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a navigation', { 'sec-fetch-mode': 'navigate' }, 403],
  ])('a key is not registered for %s', async (_who, headers, status) => {
    const page = openPage();
    const offer = challengeIn((await page.signUp()).headers.get(OFFER));
    const key = await newBrowserKey();
    const proof = await proofOf(key, offer, { header: { jwk: key.jwk } });
    const sender = new BoundBrowser(page, key, provider.app);
    const reply = await sender.post(`${API}/sessions/device_bound/register`, {
      'secure-session-response': proof,
      ...headers,
    });
    expect([reply.status, reply.lines]).toEqual([status, []]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a form', {}, 'content-type'],
    ['a form whose browser describes the request', { 'sec-fetch-mode': 'navigate' }, 'secure-session-response'],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 'secure-session-response'],
    ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' }, 'secure-session-response'],
    ['a frame', { origin: 'null' }, 'secure-session-response'],
  ])('a request without an origin is no browser’s own if it comes from %s', async (_who, description, name) => {
    const page = openPage();
    const offer = challengeIn((await page.signUp()).headers.get(OFFER));
    const key = await newBrowserKey();
    const proof = await proofOf(key, offer, { header: { jwk: key.jwk } });
    const sender = new BoundBrowser(page, key, provider.app, description);
    for (const path of ['register', 'refresh']) {
      const reply = await sender.post(`${API}/sessions/device_bound/${path}`, { [name]: proof });
      expect([reply.status, reply.body['error_type'], reply.lines]).toEqual([403, 'unregistered_origin', []]);
    }
  });

  soakIt(
    'a session stays bound when the thief strips the offer, logs in again on it, or its browser loses the key',
    async () => {
      const { browser, session_id } = await signUpBound(provider, openPage());
      const thief = copyOf(browser.page);
      const renewed = await thief.authenticate();
      expect(renewed.headers.get(OFFER)).toBeNull();
      const extended = await thief.send('/sessions/authenticate', { session_duration_minutes: 120 });
      expect(extended.lines.find((line) => line.startsWith('stytch_session_jwt='))).toContain('Max-Age=150');
      provider.clock.time += WORTH;
      expect((await thief.authenticate()).type).toBe('unauthorized_credentials');
      // The cookies are kept: the browser with the key may prove itself in the next second.
      browser.forgetProof();
      expect((await browser.page.authenticate()).lines).toEqual([]);
      expect((await browser.refresh(session_id)).status).toBe(200);
      const row = await provider.services.db
        .selectFrom('sessions')
        .select('bound_key')
        .where('session_id', '=', session_id)
        .executeTakeFirstOrThrow();
      expect(row.bound_key).toEqual({ kty: 'EC', crv: 'P-256', x: browser.key.jwk.x, y: browser.key.jwk.y });
    },
  );

  it('a session that was revoked is not renewed, also when both race', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    const { challenge } = await browser.askChallenge(session_id);
    const proof = await proofOf(browser.key, challenge);
    const owner = copyOf(browser.page);
    const [, raced] = await Promise.all([owner.send('/sessions/revoke'), browser.answer(session_id, proof)]);
    expect(raced.status).toBe(200);
    expect((await browser.refresh(session_id)).body).toEqual({ session_identifier: session_id, continue: false });
    expect((await browser.page.authenticate()).status).toBe(401);
  });
});
