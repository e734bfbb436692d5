import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, fromServer, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * A login that lacks the second factor goes on in the browser that began it alone: by the challenge of the page, else by the cookie of
 * the browser. A page that brings neither is told what to send.
 */

const UNBOUND = [400, 'mfa_code_challenge_required'];
const GONE = [401, 'intermediate_session_not_found'];
const PASSWORD = 'correct horse battery staple';
/** A developer's own machine gets no cookie. */
const ELSEWHERE = { remoteAddress: '198.51.100.7' };
const SITE = 'http://localhost:4100/sdk/v1';

describe.each(EITHER_DATABASE)('a page that sends no challenge, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled' } });
  });
  afterAll(() => provider.close());

  const outcome = ({ status, body }: { readonly status: number; readonly body: Fields }) => [
    status,
    body['error_type'],
  ];
  const waiting = async () =>
    (await provider.services.db.selectFrom('intermediate_sessions').select('user_id').execute()).length;

  /** A browser without the library: it keeps cookies, and sends what it is given. */
  const cookieBrowser = () => {
    const jar = new CookieJarOfBrowser();
    return async (path: string, fields: Fields) => {
      const headers = {
        authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
        'content-type': 'application/json',
        cookie: jar.sentTo(`${SITE}${path}`),
      };
      const init = { method: 'POST', headers, body: JSON.stringify(fields) };
      const reply = await provider.app.request(`${SITE}${path}`, init, { incoming: { socket: ELSEWHERE } });
      jar.receive(`${SITE}${path}`, reply.headers.getSetCookie());
      const body = (await reply.json()) as Fields;
      return { status: reply.status, body, data: (body['data'] ?? {}) as Fields };
    };
  };

  it('is told to send one, begins no login, and has not spent its first factor', async () => {
    const { email, secret } = await makeGuarded(provider, uniqueEmail('unbound'));
    const before = await waiting();
    const { method_id, code } = await provider.sendCode(email);
    const first = { token: code, method_id, ...MINUTES };
    const refused = await provider.post('/otps/authenticate', first);
    expect(outcome(refused)).toEqual(UNBOUND);
    expect(refused.body['error_message']).toContain('mfa_code_challenge');
    expect(await waiting()).toBe(before);
    const browser = new LoginBrowser(provider);
    expect((await browser.post('/otps/authenticate', first)).data).toMatchObject({ session: null });
    const done = await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
    expect(done.data['session']).not.toBeNull();
  });

  soakIt('is told so by a password, a reset and a session that the policy was raised for, too', async () => {
    const { email, session } = await makeGuarded(provider, uniqueEmail('ways'));
    await provider.post('/passwords/session/reset', { password: PASSWORD }, { session });
    expect(outcome(await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES }))).toEqual(
      UNBOUND,
    );
    const raised = uniqueEmail('raised');
    const { session_token, user_id } = await provider.signIn(raised);
    await provider.services.db
      .updateTable('users')
      .set({ mfa_policy: 'required' })
      .where('user_id', '=', String(user_id))
      .execute();
    const early = { session: String(session_token) };
    expect(outcome(await provider.post('/sessions/authenticate', MINUTES, early))).toEqual(UNBOUND);
    await provider.post('/passwords/email/reset/start', { email });
    const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
    const reset = { token, password: 'a wholly different phrase of mine', ...MINUTES };
    expect(outcome(await provider.post('/passwords/email/reset', reset))).toEqual(UNBOUND);
    // The link still works: the password was not set.
    expect((await new LoginBrowser(provider).post('/passwords/email/reset', reset)).data['session']).toBeNull();
  });

  soakIt('goes on by the cookie of a browser in which the user has logged in, and in that browser alone', async () => {
    const email = uniqueEmail('cookie');
    const send = cookieBrowser();
    const enterCode = async () => {
      const { method_id, code } = await provider.sendCode(email);
      return send('/otps/authenticate', { token: code, method_id, ...MINUTES });
    };
    const session = String((await enterCode()).data['session_token']);
    const { data } = await provider.post('/totps', { expiration_minutes: 60 }, { session });
    const secret = String(data['secret']);
    await provider.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES }, { session });
    provider.clock.time += 30_000;
    const { intermediate_session_token } = (await enterCode()).data;
    const second = { totp_code: codeOf(provider, secret), intermediate_session_token, ...MINUTES };
    expect(outcome(await provider.post('/totps/authenticate', second))).toEqual(GONE);
    expect(outcome(await cookieBrowser()('/totps/authenticate', second))).toEqual(GONE);
    expect((await send('/totps/authenticate', second)).data['session']).not.toBeNull();
  });

  it('is let in with one factor as before, where that is enough', async () => {
    expect((await provider.signIn(uniqueEmail('plain')))['session']).not.toBeNull();
  });

  soakIt('needs none as the app’s own server, whose secret binds the login', async () => {
    const { email, secret, session } = await makeGuarded(provider, uniqueEmail('server'));
    await provider.post('/passwords/session/reset', { password: PASSWORD }, { session });
    const { body } = await fromServer(provider, '/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
    expect(body).toMatchObject({ session: null });
    const { user_id, intermediate_session_token } = body;
    const second = { user_id, intermediate_session_token, totp_code: codeOf(provider, secret), ...MINUTES };
    expect(outcome(await new LoginBrowser(provider).post('/totps/authenticate', second))).toEqual(GONE);
    expect((await fromServer(provider, '/totps/authenticate', second)).body['session']).not.toBeNull();
  });
});
