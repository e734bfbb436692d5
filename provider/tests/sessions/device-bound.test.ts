import { describe, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { BoundBrowser, newBrowserKey, proofOf, signUpBound, signUpOnTrial } from '../kit/bound-browser.ts';
import { BOUND_PROJECT, PAGE, pagesOf, PROJECT, SITE_BOUND_PROJECT } from '../kit/cookie-pages.ts';
import { ANY_DATABASE, EITHER_DATABASE, type Fields, makeProvider, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const OFFER = 'secure-session-registration';

describe.each(EITHER_DATABASE)('sessions that are bound to their browser, %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: BOUND_PROJECT, loopback: false, dev: false });
  const { openPage } = pagesOf(() => provider);

  const verifierOf = () => {
    const { project_id: projectId, public_token: publicToken } = provider.services.project;
    return createVerifier({
      projectId,
      publicToken,
      apiUrl: 'https://api.example.com',
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
      fetch: async (url, init) => provider.app.request(url, init),
    });
  };
  const requestOf = (cookie: string) => new Request(PAGE, { headers: { cookie } });

  it.each(['ES256', 'RS256'] as const)('are offered at a login and registered with an %s key', async (algorithm) => {
    const key = await newBrowserKey(algorithm);
    const { registered, proved, session_id, browser } = await signUpBound(provider, openPage(), key);
    expect(registered.status).toBe(200);
    expect([registered.body, proved.body]).toEqual([registered.body, registered.body]);
    expect(registered.body).toEqual({
      session_identifier: session_id,
      refresh_url: '/sdk/v1/sessions/device_bound/refresh',
      scope: { include_site: false },
      credentials: [
        {
          type: 'cookie',
          name: 'stytch_session_jwt',
          attributes: 'Path=/; SameSite=Lax; Domain=example.com; Secure; HttpOnly',
        },
      ],
      allowed_refresh_initiators: ['*'],
    });
    expect([...registered.lines, ...proved.lines].map((line) => line.replace(/=[^;]*/u, ''))).toEqual([
      'stytch_session_jwt; Max-Age=30; Path=/; SameSite=Lax; Domain=example.com; Secure; HttpOnly',
      'stytch_session_jwt; Max-Age=150; Path=/; SameSite=Lax; Domain=example.com; Secure; HttpOnly',
    ]);
    expect((await browser.page.authenticate()).data['session']).toMatchObject({ session_id, device_bound: true });
  });

  it('are proved again by a signature over a challenge, which renews the cookie for two and a half minutes', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    provider.clock.time += 3 * MINUTE;
    browser.forgetProof();
    const asked = await browser.askChallenge(session_id);
    expect([asked.status, asked.lines]).toEqual([403, []]);
    const proved = await browser.answer(session_id, await proofOf(browser.key, asked.challenge));
    expect(proved.status).toBe(200);
    expect(proved.lines[0]).toMatch(/^stytch_session_jwt=[^;]+; Max-Age=150;/u);
    expect((await browser.page.authenticate()).status).toBe(200);
  });

  it('are bound and proved by a browser that describes no sender, as Chromium 150', async () => {
    const page = openPage();
    const { headers, data } = await page.signUp();
    const { session_id } = data['session'] as { session_id: string };
    const silent = new BoundBrowser(page, await newBrowserKey(), provider.app, {});
    const registered = await silent.register(headers.get('secure-session-registration'));
    const proved = await silent.answer(session_id, await proofOf(silent.key, registered.challenge));
    expect([registered.status, proved.status]).toEqual([200, 200]);
    silent.forgetProof();
    expect((await page.authenticate()).status).toBe(401);
    expect((await silent.refresh(session_id)).status).toBe(200);
    expect((await page.authenticate()).data['session']).toMatchObject({ session_id, device_bound: true });
  });

  soakIt(
    'are proved again in one request with the challenge of the reply before, for as long as the page refreshes',
    async () => {
      const { browser, session_id, proved } = await signUpBound(provider, openPage());
      let { challenge } = proved;
      for (let round = 0; round < 3; round += 1) {
        provider.clock.time += 3 * MINUTE;
        browser.forgetProof();
        // oxlint-disable-next-line no-await-in-loop -- each round has the challenge of the round before
        const reply = await browser.answer(session_id, await proofOf(browser.key, challenge));
        expect(reply.status).toBe(200);
        // oxlint-disable-next-line no-await-in-loop
        expect((await browser.page.authenticate()).status).toBe(200);
        ({ challenge } = reply);
      }
    },
  );

  it('are bound in one request with the challenge of the reply to the registration', async () => {
    const { browser, session_id, registered } = await signUpOnTrial(provider, openPage());
    const reply = await browser.answer(session_id, await proofOf(browser.key, registered.challenge));
    expect(reply.status).toBe(200);
    expect((await browser.page.authenticate()).data['session']).toMatchObject({ session_id, device_bound: true });
  });

  it('get the same JWT from the proof and from the refresh of the page that follows', async () => {
    // A proof ends between two seconds, and its JWT at the one before.
    provider.clock.time += 123;
    const { browser } = await signUpBound(provider, openPage());
    const proved = browser.page.cookie('stytch_session_jwt');
    // Another signature would say another time.
    provider.clock.time += 2000;
    await browser.page.authenticate();
    expect(browser.page.cookie('stytch_session_jwt')).toBe(proved);
  });

  it('accept a quoted id, an audience and a subject, and refuse those of others', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    const aud = 'https://api.example.com/sdk/v1/sessions/device_bound/refresh';
    const asked = await browser.askChallenge(`"${session_id}"`);
    const prove = async (claims: Fields) =>
      (await browser.answer(session_id, await proofOf(browser.key, asked.challenge, { claims }))).status;
    expect(await prove({ aud: `${aud}/`, sub: session_id })).toBe(403);
    expect(await prove({ aud, sub: 'session-test-other' })).toBe(403);
    expect(await prove({ aud, sub: session_id })).toBe(200);
  });

  it('keep the end of the last proof when a page authenticates them', async () => {
    const { browser } = await signUpBound(provider, openPage());
    provider.clock.time += MINUTE;
    const { lines } = await browser.page.authenticate();
    expect(lines[0]).toMatch(/^stytch_session_jwt=[^;]+; Max-Age=90;/u);
  });

  it('end in the browser when the session has ended, or another one has replaced it', async () => {
    const { browser, session_id } = await signUpBound(provider, openPage());
    await browser.page.signUp();
    expect((await browser.refresh(session_id)).body).toEqual({ session_identifier: session_id, continue: false });
    const other = await signUpBound(provider, openPage());
    await other.browser.page.send('/sessions/revoke');
    const { status, body } = await other.browser.refresh(other.session_id);
    expect([status, body]).toEqual([200, { session_identifier: other.session_id, continue: false }]);
  });

  it("are bound for the app's own server, which can require it", async () => {
    const { browser } = await signUpBound(provider, openPage());
    const verifier = verifierOf();
    const cookies = browser.page.jar.sentTo(`${PAGE}/`);
    const bound = { bound: true };
    expect(await verifier.authenticateRequest(requestOf(cookies), bound)).toMatchObject({ bound: true, source: 'jwt' });
    const fresh = await verifier.authenticateRequest(requestOf(cookies), { ...bound, fresh: true });
    expect(fresh).toMatchObject({ status: 'signed-in', bound: true, source: 'api' });
    const plain = openPage();
    await plain.signUp();
    const found = await verifier.authenticateRequest(requestOf(plain.jar.sentTo(`${PAGE}/`)), bound);
    expect(found).toMatchObject({ status: 'forbidden', lacks: bound, who: { bound: false } });
    provider.clock.time += 5 * MINUTE;
    const late = await verifier.authenticateRequest(requestOf(cookies));
    expect(late).toEqual({ status: 'signed-out', reason: 'session-ended' });
  });

  it('are marked in the list of the sessions, and in no other session', async () => {
    const { browser } = await signUpBound(provider, openPage());
    const { data } = await browser.page.send('/users/sessions', undefined, { method: 'GET' });
    expect(data['sessions']).toMatchObject([{ is_current: true, device_bound: true }]);
    const plain = openPage();
    await plain.signUp();
    const [listed] = (await plain.send('/users/sessions', undefined, { method: 'GET' })).data['sessions'] as Fields[];
    expect(listed).not.toHaveProperty('device_bound');
  });

  it('stay as they are in a browser that does not answer the offer', async () => {
    const page = openPage();
    expect((await page.signUp()).headers.get(OFFER)).toMatch(/^\(ES256 RS256\);path="[^"]+";challenge="[^"]+"$/u);
    provider.clock.time += 20 * MINUTE;
    const { status, headers } = await page.authenticate();
    expect([status, headers.get(OFFER)]).toEqual([200, null]);
  });
});

describe('the setting device_bound', () => {
  it('is off unless the project says otherwise', async () => {
    const provider = await makeProvider(ANY_DATABASE, { project: PROJECT, loopback: false, dev: false });
    const page = pagesOf(() => provider).openPage();
    expect((await page.signUp()).headers.get(OFFER)).toBeNull();
    const file = await provider.app.request('https://api.example.com/.well-known/device-bound-sessions');
    expect(file.status).toBe(404);
    await provider.close();
  });

  it('with `site` covers all hosts of the domain, which the file of the domain permits', async () => {
    const provider = await makeProvider(ANY_DATABASE, { project: SITE_BOUND_PROJECT, loopback: false, dev: false });
    const { browser, session_id, registered } = await signUpBound(provider, pagesOf(() => provider).openPage());
    expect(registered.body['scope']).toEqual({ origin: 'https://example.com', include_site: true });
    const file = await provider.app.request('https://api.example.com/.well-known/device-bound-sessions');
    expect(await file.json()).toEqual({ registering_origins: ['https://api.example.com'] });
    const ofDomain = new BoundBrowser(browser.page, browser.key, {
      request: (url, init) => {
        const headers = { ...(init?.headers as Record<string, string>), origin: 'https://example.com' };
        return provider.app.request(url, { ...init, headers });
      },
    });
    expect((await ofDomain.refresh(session_id)).status).toBe(200);
    await provider.close();
  });
});
