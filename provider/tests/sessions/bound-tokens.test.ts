import { calculateJwkThumbprint, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { codeOf, consent, fromServer, makeTarget, MINUTES, redeemCode, uniqueEmail } from '../attacks/attacker.ts';
import { BoundPage, signInBound } from '../kit/bound-page.ts';
import { PROJECT } from '../kit/cookie-pages.ts';
import { ANY_DATABASE, EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('a session that is bound to the key of a page, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled' } });
  });
  afterAll(() => provider.close());
  const signIn = async (email = uniqueEmail('bound')) => signInBound(provider, email);
  const idOf = (data: Fields): string => String(data['session'].session_id);
  const jktOf = async ({ key }: BoundPage) => calculateJwkThumbprint(key.jwk);
  const fields = async (path: string, body: Fields) => (await fromServer(provider, path, body)).body;

  it('says so in its reply, its JWT, the list of sessions and the audit log', async () => {
    const { page, reply, token, jwt } = await signIn();
    expect(reply.data['session']).toMatchObject({ device_bound: true });
    expect(decodeJwt(jwt)).toMatchObject({
      cnf: { jkt: await jktOf(page) },
      'https://stytch.com/session': { device_bound: true },
    });
    const listed = await page.call('GET', '/users/sessions', undefined, token);
    expect(listed.data['sessions']).toMatchObject([{ device_bound: true, is_current: true }]);
    const audited = await provider.services.db
      .selectFrom('audit_log')
      .select(['actor_kind', 'details'])
      .where('event', '=', 'session_bound')
      .where('user_id', '=', String(reply.data['user_id']))
      .execute();
    expect(audited).toEqual([{ actor_kind: 'user', details: { session_id: idOf(reply.data) } }]);
  });

  soakIt('is renewed by its page for as long as it lasts, with a JWT of five minutes each time', async () => {
    const { page, token, reply } = await signIn();
    provider.clock.time += 20 * MINUTE;
    const renewed = await page.authenticate(token, { session_duration_minutes: 60 });
    expect([renewed.status, idOf(renewed.data)]).toEqual([200, idOf(reply.data)]);
    const { exp = 0, cnf } = decodeJwt(String(renewed.data['session_jwt']));
    expect([exp * 1000, cnf]).toEqual([provider.clock.time + 5 * MINUTE, { jkt: await jktOf(page) }]);
    // Its JWT needs the proof as well, and gives no new one, as ever.
    const byJwt = await page.authenticate(String(renewed.data['session_jwt']));
    expect([byJwt.status, byJwt.data['session_token']]).toEqual([200, '']);
  });

  soakIt(
    'leaves a session without a proof as it was: its token alone presents it, and its JWT has no key',
    async () => {
      const data = await provider.signIn(uniqueEmail('plain'));
      expect(data['session']).not.toHaveProperty('device_bound');
      expect(decodeJwt(String(data['session_jwt']))).not.toHaveProperty('cnf');
      const me = await provider.call('GET', '/users/me', undefined, { session: String(data['session_token']) });
      expect([me.status, me.headers.get('dpop-nonce')]).toEqual([200, null]);
    },
  );

  it('asks for the nonce before a login has any effect: the code is still good', async () => {
    const page = await BoundPage.open(provider);
    const { method_id, code } = await provider.sendCode(uniqueEmail('nonce'));
    const body = { token: code, method_id, ...MINUTES };
    const proof = await page.proofOf('POST', '/otps/authenticate', undefined);
    const asked = await page.sendWith(proof, 'POST', '/otps/authenticate', body);
    expect(asked.body).toMatchObject({ status_code: 401, error_type: 'use_dpop_nonce' });
    page.nonce = asked.headers.get('dpop-nonce') ?? undefined;
    const wrong = await page.call('POST', '/otps/authenticate', body, undefined, { claims: { htm: 'PUT' } });
    expect(wrong.body).toMatchObject({ status_code: 401, error_type: 'invalid_dpop_proof' });
    expect((await page.call('POST', '/otps/authenticate', body)).status).toBe(200);
  });

  it('does not look at the clock of the browser', async () => {
    const { page, token } = await signIn();
    for (const iat of [1, 4_000_000_000]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await page.call('GET', '/users/me', undefined, token, { claims: { iat } })).status).toBe(200);
    }
  });

  soakIt('keeps its key when a second factor is added, and a login in two steps is bound by the last one', async () => {
    const email = uniqueEmail('guarded');
    const { page, token, reply } = await signIn(email);
    const { data } = await page.call('POST', '/totps', { expiration_minutes: 60 }, token);
    const secret = String(data['secret']);
    const enter = async (fields: Fields, session?: string) => {
      const body = { totp_code: codeOf(provider, secret), ...MINUTES, ...fields };
      return page.call('POST', '/totps/authenticate', body, session);
    };
    const joined = await enter({}, token);
    expect([joined.status, idOf(joined.data)]).toEqual([200, idOf(reply.data)]);
    expect((await page.me(String(joined.data['session_token']))).status).toBe(200);

    provider.clock.time += MINUTE;
    const browser = new LoginBrowser({ post: async (path, body) => page.call('POST', path, body) });
    expect((await enterEmail(provider, browser, email)).data['session']).toBeNull();
    const done = await enter(browser.fields);
    expect(done.data['session'].device_bound).toBe(true);
    expect(decodeJwt(String(done.data['session_jwt']))['cnf']).toEqual({ jkt: await jktOf(page) });
  });

  soakIt('goes on with its key where a factor is added, and its old token is over', async () => {
    const { page, token, reply } = await signIn();
    const body = { password: 'correct horse battery staple 7', session_duration_minutes: 60 };
    const added = await page.call('POST', '/passwords/session/reset', body, token);
    expect([added.status, idOf(added.data)]).toEqual([200, idOf(reply.data)]);
    const next = String(added.data['session_token']);
    expect((await page.me(next)).status).toBe(200);
    expect((await page.me(token)).body['error_type']).toBe('unauthorized_credentials');
    const alone = await provider.call('GET', '/users/me', undefined, { session: next });
    expect(alone.body['error_type']).toBe('session_proof_required');
  });

  soakIt('a session without a key gets that of the page that adds a factor to it, with a new token', async () => {
    const data = await provider.signIn(uniqueEmail('later'));
    const page = await BoundPage.open(provider);
    const body = { password: 'correct horse battery staple 7', session_duration_minutes: 60 };
    const added = await page.call('POST', '/passwords/session/reset', body, String(data['session_token']));
    expect([idOf(added.data), added.data['session'].device_bound]).toEqual([idOf(data), true]);
    const alone = await provider.call('GET', '/users/me', undefined, {
      session: String(added.data['session_token']),
    });
    expect(alone.body['error_type']).toBe('session_proof_required');
  });

  soakIt('of an operator who acts for a user, and of an app, is bound as well', async () => {
    const email = uniqueEmail('helped');
    const user = await provider.signIn(email);
    const page = await BoundPage.open(provider);
    const issued = await administer(provider.services, 'impersonate', { user: email, by: 'ann@ops.example' });
    const acting = await page.call('POST', '/impersonation/authenticate', { impersonation_token: issued.token });
    const app = await BoundPage.open(provider);
    const { data } = await consent(provider, String(user['session_token']));
    const code = new URL(String(data['redirect_uri'])).searchParams.get('code');
    const { access_token } = await redeemCode(provider, code);
    const exchanged = await app.call('POST', '/sessions/exchange_access_token', { access_token, ...MINUTES });
    for (const [own, { data: made }] of [[page, acting] as const, [app, exchanged] as const]) {
      expect(made['session'].device_bound).toBe(true);
      const session = String(made['session_token']);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await own.me(session)).status).toBe(200);
      // oxlint-disable-next-line no-await-in-loop
      const alone = await provider.call('GET', '/users/me', undefined, { session });
      expect(alone.body['error_type']).toBe('session_proof_required');
    }
  });

  soakIt('is shown to the app’s own server by its JWT, until that expires, and never by the token alone', async () => {
    const { token, jwt, page } = await signIn();
    expect(await fields('/sessions/authenticate', { session_token: token })).toMatchObject({
      error_type: 'session_not_found',
    });
    const shown = await fields('/sessions/authenticate', { session_jwt: jwt });
    expect(shown).toMatchObject({ status_code: 200, session: { device_bound: true } });
    const { exp } = decodeJwt(String(shown['session_jwt']));
    expect(exp).toBeLessThanOrEqual(decodeJwt(jwt).exp ?? 0);
    provider.clock.time += 5 * MINUTE;
    for (const session_jwt of [jwt, String(shown['session_jwt'])]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await fields('/sessions/authenticate', { session_jwt })).toMatchObject({ status_code: 404 });
    }
    expect((await page.me(token)).status).toBe(200);
    // A server that has seen a stolen token can end its session.
    await fields('/sessions/revoke', { session_token: token });
    expect((await page.me(token)).body['error_type']).toBe('unauthorized_credentials');
  });

  it('can be required of a request by portico/server', async () => {
    const { project_id, public_token } = provider.services.project;
    const verifier = createVerifier({
      projectId: project_id,
      apiUrl: 'http://localhost:4100',
      publicToken: public_token,
      fetch: async (address, init) => provider.app.request(address, init),
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
    });
    const { token, jwt } = await signIn();
    const plain = await provider.signIn(uniqueEmail('unbound'));
    const ask = async (secret: string) =>
      verifier.authenticateRequest({ headers: { authorization: `Bearer ${secret}` } }, { bound: true });
    expect(await ask(jwt)).toMatchObject({ status: 'signed-in', bound: true, claims: {} });
    expect(await ask(String(plain['session_jwt']))).toMatchObject({ status: 'forbidden', lacks: { bound: true } });
    // Only a page with the key can present the token.
    expect((await ask(token)).status).not.toBe('signed-in');
  });

  it('lets pages send the proof and read the nonce', async () => {
    const [origin = ''] = provider.services.project.origins ?? [];
    const page = origin === '' || origin.includes('*') ? 'http://localhost:3000' : origin;
    const preflight = await provider.app.request('/sdk/v1/users/me', {
      method: 'OPTIONS',
      headers: { origin: page, 'access-control-request-method': 'GET', 'access-control-request-headers': 'dpop' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('dpop');
    expect(preflight.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
  });
});

describe('a project whose sessions are in HttpOnly cookies', () => {
  it('does not read the proof of a page: the browser binds its sessions, or nobody', async () => {
    const provider = await makeProvider(ANY_DATABASE, { project: PROJECT, loopback: false });
    try {
      const page = await BoundPage.open(provider);
      const body = { email: uniqueEmail('cookies'), password: 'correct horse battery staple 7', ...MINUTES };
      const reply = await page.call('POST', '/passwords', body);
      expect([reply.status, reply.headers.get('dpop-nonce')]).toEqual([200, null]);
      expect(reply.data['session']).not.toHaveProperty('device_bound');
    } finally {
      await provider.close();
    }
  });
});
