import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { codeOf } from './attacker.ts';
import { createApp } from '#provider/operation/app.ts';
import { BoundBrowser, newBrowserKey, proofOf, signUpBound, signUpOnTrial } from '../kit/bound-browser.ts';
import { BOUND_PROJECT, pagesOf, type CookiePage } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const OFFER = 'secure-session-registration';
const PASSWORD = 'correct horse battery staple 7';
const RAISED = projectFrom({ mfa: { policy: 'required', factors: ['totp', 'recovery_code'] } }, true).mfa;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const SKIPPED = { 'secure-session-skipped': 'unreachable' };

describe.each(EITHER_DATABASE)('T205: whose key a session gets, and when, %s', (_, databaseUrl) => {
  const provider = suiteProvider(databaseUrl, { project: { ...BOUND_PROJECT }, loopback: false, dev: false });
  const { openPage, copyOf } = pagesOf(() => provider);
  /** A login that is added to the page's session. */
  const joinSession = async (page: CookiePage) => {
    const reply = await page.send('/passwords/session/reset', { password: PASSWORD, session_duration_minutes: 60 });
    expect(reply.status).toBe(200);
    return reply;
  };

  it('a copied token is offered no key, in no form', async () => {
    const page = openPage();
    await page.signUp();
    const token = page.cookie('stytch_session');
    for (const secret of [token, page.cookie('stytch_session_jwt')]) {
      // oxlint-disable-next-line no-await-in-loop -- one copy after the other
      const reply = await openPage().authenticate({ secret });
      expect([reply.status, reply.headers.get(OFFER)]).toEqual([200, null]);
    }
    const inCookies = await page.authenticate({ secret: token });
    expect(inCookies.headers.get(OFFER)).toBeNull();
  });

  soakIt('a session is as one without a key until the key was used: a browser that dropped it goes on', async () => {
    const { browser, session_id } = await signUpOnTrial(provider, openPage());
    const { data, lines } = await browser.page.authenticate();
    expect(data['session']).not.toHaveProperty('device_bound');
    expect(lines.find((line) => line.startsWith('stytch_session_jwt='))).toContain('Max-Age=30;');
    provider.clock.time += 10 * MINUTE;
    browser.forgetProof();
    expect((await browser.page.authenticate()).status).toBe(200);
    // The first proof binds it, however late.
    expect((await browser.refresh(session_id)).status).toBe(200);
    browser.forgetProof();
    expect((await browser.page.authenticate()).status).toBe(401);
  });

  it('copies of the cookies from before the first proof work for at most five minutes after it', async () => {
    const { browser, session_id } = await signUpOnTrial(provider, openPage());
    const { page } = browser;
    const token = copyOf(page, ['stytch_session']);
    const both = copyOf(page);
    expect((await browser.refresh(session_id)).status).toBe(200);
    expect((await token.authenticate()).status).toBe(401);
    provider.clock.time += 2 * MINUTE;
    // The JWT that it gets ends with the one that was copied.
    expect((await both.authenticate()).status).toBe(200);
    provider.clock.time += 3 * MINUTE - 1000;
    expect((await both.authenticate()).status).toBe(200);
    provider.clock.time += 1000;
    expect((await both.authenticate()).status).toBe(401);
  });

  soakIt(
    'another login may register another key before the first proof, and the first key counts no more',
    async () => {
      const page = openPage();
      const { browser: first, session_id: id } = await signUpOnTrial(provider, page);
      const again = await joinSession(page);
      expect(again.data['session']).toMatchObject({ session_id: id });
      const second = new BoundBrowser(page, await newBrowserKey(), provider.app);
      expect((await second.register(again.headers.get(OFFER))).status).toBe(200);
      expect((await first.refresh(id)).status).toBe(403);
      expect((await second.refresh(id)).status).toBe(200);
      expect((await joinSession(page)).headers.get(OFFER)).toBeNull();
    },
  );

  it('first proofs at two servers at once bind the session once', async () => {
    const { browser, session_id } = await signUpOnTrial(provider, openPage());
    const other = new BoundBrowser(browser.page, browser.key, createApp(provider.services));
    const replies = await Promise.all([browser, other].map(async (each) => each.refresh(session_id)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await provider.services.db
      .selectFrom('audit_log')
      .select('details')
      .where('event', '=', 'session_bound')
      .execute();
    expect(rows.filter(({ details }) => details['session_id'] === session_id)).toHaveLength(1);
  });

  soakIt('a refresh with the token before a login keeps the key of the live session', async () => {
    const page = openPage();
    const { browser, session_id: id } = await signUpBound(provider, page);
    const { challenge } = await browser.askChallenge(id);
    const proof = await proofOf(browser.key, challenge);
    const before = page.jar.sentTo('https://api.example.com/sdk/v1/sessions');
    await joinSession(page);
    const late = await browser.post('https://api.example.com/sdk/v1/sessions/device_bound/refresh', {
      'sec-secure-session-id': id,
      'secure-session-response': proof,
      cookie: before,
    });
    expect([late.status, late.body['error_type'], late.lines]).toEqual([503, 'service_unavailable', []]);
    expect((await browser.refresh(id)).status).toBe(200);
  });

  soakIt('a browser that could not prove its session is asked to try again, and others are refused', async () => {
    const { browser } = await signUpBound(provider, openPage());
    browser.forgetProof();
    const skipped = await browser.page.authenticate({ headers: SKIPPED });
    expect([skipped.status, skipped.type, skipped.lines]).toEqual([503, 'service_unavailable', []]);
    expect((await browser.page.authenticate()).status).toBe(401);
    expect((await openPage().authenticate({ headers: SKIPPED, secret: 'x'.repeat(43) })).status).toBe(401);
  });

  soakIt(
    'a session that lacks a factor keeps its key, and goes on with the factor only where it is proved',
    async () => {
      const { project } = provider.services;
      const before = project.mfa;
      const { browser, session_id } = await signUpBound(provider, openPage());
      const { page } = browser;
      const user = await signUpBound(provider, openPage());
      Object.assign(project, { mfa: RAISED });
      try {
        const stepOf = async (of: CookiePage) => {
          const { data } = await of.send('/sessions/authenticate', { mfa_code_challenge: CHALLENGE });
          expect(data).toMatchObject({ session: null, mfa: { enrol: ['totp'] } });
          return String(data['intermediate_session_token']);
        };
        const finish = async (of: CookiePage, intermediate_session_token: string) => {
          const step = { intermediate_session_token, mfa_code_verifier: VERIFIER };
          const { data } = await of.send('/totps', { ...step, expiration_minutes: 10 });
          const totp_code = codeOf(provider, String(data['secret']));
          return of.send('/totps/authenticate', { ...step, totp_code, session_duration_minutes: 60 });
        };
        const proved = await finish(page, await stepOf(page));
        expect(proved.data['session']).toMatchObject({ session_id, device_bound: true });
        const step = await stepOf(user.browser.page);
        user.browser.forgetProof();
        const late = await user.browser.refresh(user.session_id);
        expect([late.status, late.lines]).toEqual([503, []]);
        const alone = await finish(user.browser.page, step);
        expect(alone.data['session']).not.toMatchObject({ session_id: user.session_id });
        expect(alone.data['session']).not.toHaveProperty('device_bound');
        expect(alone.headers.get(OFFER)).not.toBeNull();
      } finally {
        Object.assign(project, { mfa: before });
      }
    },
  );
});
