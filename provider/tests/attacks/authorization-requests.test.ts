import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, BYE, CALLBACK, challenge, ISSUER, makeApps, verifier, type Apps } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** Between the authorization endpoint and the page a request is in the hands of the browser. */
describe.each(EITHER_DATABASE)('an authorization request that is changed on its way, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  const typeOf = async (fields: Fields): Promise<readonly unknown[]> => {
    const replies = [await apps.start(fields), await apps.submit(fields)];
    return replies.map(({ body }) => body['error_type']);
  };
  const REFUSED = ['invalid_authorization_request', 'invalid_authorization_request'];

  it('is refused with a signature that is not this server’s', async () => {
    const asked = await apps.arrive();
    const own = String(asked['authorization_request']);
    const claims = decodeJwt(own);
    const header = { alg: 'HS256', typ: 'authorization-request+jwt' };
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(new Uint8Array(32));
    const [, payload = ''] = own.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const other = await makeApps(url);
    const foreign = (await other.arrive())['authorization_request'];
    await other.provider.close();
    // Tokens of other purposes, which this server has signed.
    const { id_token, access_token } = await apps.tokensFor();
    const { session_jwt } = apps.signedIn.user;
    for (const authorization_request of [forged, none, foreign, id_token, access_token, session_jwt, `${own}x`, '']) {
      expect(await typeOf({ ...asked, authorization_request })).toEqual(REFUSED);
    }
    expect((await apps.start(asked)).status).toBe(200);
  });

  it('is refused for another app, address or scope than it was made for, and after an hour', async () => {
    const asked = await apps.arrive();
    for (const fields of [
      { client_id: 'other' },
      { client_id: 'desktop', redirect_uri: 'http://localhost/callback' },
      { scopes: ['openid', 'full_access'] },
    ]) {
      expect(await typeOf({ ...asked, ...fields })).toEqual(REFUSED);
    }
    apps.provider.clock.time += 60 * MINUTE;
    await apps.signInAgain();
    expect(await typeOf(asked)).toEqual(REFUSED);
  });

  it('is refused with another state, nonce, challenge or prompt than the app sent', async () => {
    const asked = await apps.arrive({ state: 'own', nonce: 'own', prompt: 'login' });
    const changes = { state: 'evil', nonce: 'evil', code_challenge: 'x'.repeat(43) };
    for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
      for (const value of [changes[name], undefined]) {
        const changed = { ...asked, [name]: value };
        // They are no part of the first call.
        if (changed[name] !== asked[name]) expect(await typeOf(changed)).toEqual(['login_required', REFUSED[1]]);
      }
    }
    for (const prompt of [undefined, 'consent', 'none', 'login none']) {
      expect(await typeOf({ ...asked, prompt })).toEqual(REFUSED);
    }
    expect(await typeOf({ ...asked, prompt: 'login consent' })).toEqual(['login_required', 'login_required']);
  });

  it('keeps the age of the login that the app wants, whatever the page says', async () => {
    const user = await apps.provider.signIn('changed@example.com');
    const asked = await apps.arrive({ state: 'own', nonce: 'own', max_age: '0' });
    const changed = { ...asked, max_age: undefined };
    expect(await typeOf(changed)).toEqual(['login_required', 'login_required']);
    apps.provider.clock.time += 1;
    const fresh = await apps.provider.signIn('changed@example.com', as(user));
    const { data } = await apps.submit(changed, fresh);
    expect(new URL(data['redirect_uri']).searchParams.get('state')).toBe('own');
    const { body } = await apps.redeem({ code: data['authorization_code'], code_verifier: verifier });
    expect(decodeJwt(body['id_token'])['nonce']).toBe('own');
  });

  it('without a challenge gets none from the page', async () => {
    const asked = await apps.arrive({ client_id: 'server', code_challenge: undefined });
    const { body } = await apps.submit({ ...asked, code_challenge: challenge });
    expect(body['error_type']).toBe('invalid_authorization_request');
    const { data } = await apps.submit(asked);
    const kept = await apps.provider.services.db
      .selectFrom('authorization_codes')
      .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'authorization_codes.grant_id')
      .select('code_challenge')
      .where('client_id', '=', 'server')
      .execute();
    expect([typeof data['authorization_code'], kept]).toEqual(['string', [{ code_challenge: null }]]);
  });

  it('sends nothing of an invalid request to an address that the app did not register', async () => {
    const evil = { redirect_uri: 'https://evil.example/', response_type: 'token', prompt: 'none', request: 'x' };
    const { location, text } = await apps.visit('/authorize', { client_id: 'planner', state: '<script>', ...evil });
    expect(location).toBeNull();
    expect(text).not.toContain('<script>');
  });

  it('an app that hard-codes the page gets no login that it wants to be fresh', async () => {
    for (const fields of [{ prompt: 'login' }, { max_age: '0' }]) {
      expect(await typeOf(fields)).toEqual(['authorization_request_required', 'authorization_request_required']);
    }
  });
});

describe.each(EITHER_DATABASE)('a logout that another site asks for, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  soakIt('ends no session without the user, by a link or a form, with the hint of another or none', async () => {
    const user = await apps.provider.signIn('victim@example.com');
    const attacker = await apps.provider.signIn('attacker@example.com');
    const theirs = (await apps.tokensFor(['openid'], attacker))['id_token'];
    const victims = (await apps.tokensFor(['openid'], user))['id_token'];
    for (const fields of [
      {},
      { client_id: 'planner', post_logout_redirect_uri: BYE },
      { id_token_hint: theirs },
      { id_token_hint: theirs, post_logout_redirect_uri: BYE },
    ]) {
      for (const method of ['GET', 'POST']) {
        const { location, headers } = await apps.visit('/logout', fields, method);
        expect(headers.get('set-cookie')).toBeNull();
        const page = Object.fromEntries([...(location?.searchParams ?? [])].filter(([, value]) => value !== ''));
        const { data } = await apps.provider.post('/oauth/logout/start', page, as(user));
        expect(data['consent_required']).toBe(true);
      }
    }
    expect((await apps.provider.call('GET', '/users/me', undefined, as(user))).status).toBe(200);
    const own = await apps.provider.post('/oauth/logout/start', { id_token_hint: victims }, as(user));
    expect(own.data).toMatchObject({ consent_required: false, redirect_uri: '' });
  });

  it('leads nowhere but to an address of the app that is proven or confirmed', async () => {
    const { id_token, access_token } = await apps.tokensFor(['openid']);
    for (const fields of [
      { post_logout_redirect_uri: 'https://evil.example/', client_id: 'planner' },
      { post_logout_redirect_uri: 'https://evil.example/', id_token_hint: id_token },
      { post_logout_redirect_uri: BYE, id_token_hint: access_token },
      { post_logout_redirect_uri: BYE, id_token_hint: id_token, client_id: 'other' },
      { client_id: 'nobody' },
      { client_id: 'a\u0000' },
    ]) {
      const { location, status } = await apps.visit('/logout', fields);
      expect([location, status >= 400]).toEqual([null, true]);
      expect((await apps.provider.post('/oauth/logout/start', fields)).status).toBeGreaterThanOrEqual(400);
    }
    const unknown = await apps.provider.post('/oauth/logout/start', {
      post_logout_redirect_uri: 'https://evil.example/',
    });
    expect(unknown.data).toMatchObject({ consent_required: true, redirect_uri: '' });
    const { location } = await apps.visit('/logout', { post_logout_redirect_uri: 'https://evil.example/', state: 's' });
    expect(location?.searchParams.get('post_logout_redirect_uri')).toBe('');
    expect([CALLBACK, ISSUER]).not.toContain(location?.origin);
  });
});
