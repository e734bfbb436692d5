import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, type Fields, MINUTE, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { browser, CHALLENGE, ORIGIN, VERIFIER } from '../kit/oauth-harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const MANY = Array.from({ length: SOAK ? 50 : 15 });
const HOST = 'http://localhost:3000';

describe.each(EITHER_DATABASE)('Google One Tap on %s', (_, url) => {
  const provider = suiteProvider(url);

  const start = (public_token = PUBLIC_TOKEN) => provider.post('/oauth/google/onetap/start', { public_token });
  const credential = async (fields: Fields = {}, origin = ORIGIN): Promise<Response> =>
    provider.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: 'portico-test-client',
        email: 'ada@example.com',
        email_verified: true,
        ...fields,
      }),
    });
  const idToken = async (fields: Fields = {}): Promise<string> =>
    ((await (await credential(fields)).json()) as Fields)['credential'];
  const submit = (fields: Fields) =>
    provider.post('/oauth/google/onetap/submit', { public_token: PUBLIC_TOKEN, ...fields });
  const begun = async (fields: Fields = {}) => ({
    oauth_callback_id: String((await start()).data['oauth_callback_id']),
    id_token: await idToken(fields),
  });

  it('signs up, then logs in', async () => {
    const started = await start();
    expect(started.data['google_client_id']).toBe('portico-test-client');
    const urls = { login_redirect_url: `${HOST}/in`, signup_redirect_url: `${HOST}/up`, code_challenge: CHALLENGE };
    const first = await submit({ ...(await begun({ email: 'tap@example.com' })), ...urls });
    expect(first.data['redirect_url']).toMatch(
      /^http:\/\/localhost:3000\/up\?stytch_token_type=oauth&token=[\w-]{43}$/u,
    );
    const redeem = async (redirect: string) =>
      provider.post('/oauth/authenticate', {
        token: new URL(redirect).searchParams.get('token'),
        code_verifier: VERIFIER,
        session_duration_minutes: 30,
      });
    expect((await redeem(first.data['redirect_url'])).status).toBe(200);
    const second = await submit({ ...(await begun({ email: 'tap@example.com' })), ...urls });
    expect(new URL(second.data['redirect_url']).pathname).toBe('/in');
    const redeemed = await redeem(second.data['redirect_url']);
    expect(redeemed.status).toBe(200);
    expect(redeemed.data).toMatchObject({ provider_type: 'google' });
    expect(redeemed.data['user'].emails).toMatchObject([{ email: 'tap@example.com', verified: true }]);
  });

  it('knows the person that a whole social login knows', async () => {
    const whole = await browser(provider).token('google', { email: 'both@example.com', verified: 'yes' });
    const tapped = await submit(await begun({ email: 'both@example.com' }));
    const { searchParams } = new URL(tapped.data['redirect_url']);
    for (const token of [whole, searchParams.get('token')]) {
      const redeemed = await provider.post('/oauth/authenticate', { token, session_duration_minutes: 30 });
      expect(redeemed.status).toBe(200);
    }
    const rows = await provider.services.db
      .selectFrom('oauth_registrations')
      .innerJoin('emails', 'emails.user_id', 'oauth_registrations.user_id')
      .select('provider_subject')
      .where('email', '=', 'both@example.com')
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('takes a nonce when it is that of the start', async () => {
    const oauth_callback_id = String((await start()).data['oauth_callback_id']);
    const wrong = await submit({ oauth_callback_id, id_token: await idToken({ nonce: 'other' }) });
    expect(wrong.body).toMatchObject({ status_code: 401, error_type: 'invalid_client' });
    const right = await submit({ oauth_callback_id, id_token: await idToken({ nonce: oauth_callback_id }) });
    expect(right.status).toBe(200);
  });

  soakIt('takes a start once, and of many submits one', async () => {
    const fields = await begun();
    const replies = await Promise.all(MANY.map(() => submit(fields)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
    expect((await submit(fields)).body['error_type']).toBe('oauth_flow_callback_error');
    expect((await submit({ ...fields, oauth_callback_id: 'invented' })).body['error_type']).toBe(
      'oauth_flow_callback_error',
    );
  });

  it('refuses an ID token that has expired', async () => {
    const fields = await begun();
    provider.clock.time += 6 * MINUTE;
    expect((await submit(fields)).body['error_type']).toBe('invalid_client');
  });

  soakIt('refuses an ID token of another signer, audience, issuer or kind', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const foreign = await new SignJWT({ sub: '1', email: 'ada@example.com', email_verified: true })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(`${ORIGIN}/accounts/google`)
      .setAudience('portico-test-client')
      .setIssuedAt(provider.clock.time / 1000)
      .setExpirationTime(provider.clock.time / 1000 + 300)
      .sign(privateKey);
    const { session_jwt } = await provider.signIn('session@example.com');
    const visitor = browser(provider);
    const token = await visitor.token('github', { account: 'ada@example.com' });
    const { data } = await provider.post('/oauth/authenticate', { token, session_duration_minutes: 30 });
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await idToken()).split('.')[1]}.`;
    const { access_token, id_token } = data['provider_values'];
    for (const wrong of [foreign, session_jwt, access_token, id_token, unsigned, 'x', '']) {
      const oauth_callback_id = String((await start()).data['oauth_callback_id']);
      expect((await submit({ oauth_callback_id, id_token: wrong })).body['error_type']).toBe('invalid_client');
    }
  });

  it('refuses an unregistered redirect URL and an invalid code challenge', async () => {
    const fields = await begun();
    for (const field of ['login_redirect_url', 'signup_redirect_url']) {
      const { body } = await submit({ ...fields, [field]: 'https://evil.example/' });
      expect(body).toMatchObject({ status_code: 400, error_type: 'no_match_for_provided_oauth_url' });
    }
    expect((await submit({ ...fields, code_challenge: 'x' })).body['error_type']).toBe('invalid_code_challenge');
    expect((await submit({ ...fields, public_token: 'public-token-x' })).body['error_type']).toBe(
      'invalid_public_token',
    );
    expect((await start('public-token-x')).body['error_type']).toBe('invalid_public_token');
    expect((await submit(fields)).status).toBe(200);
  });

  it.each([
    [
      'switched off',
      { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, google_one_tap: false } },
      'oauth_config_not_found',
    ],
    [
      'without Google',
      { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, oauth_providers: [] } },
      'oauth_config_not_found',
    ],
    ['on a public address', { loopback: false }, 'oauth_config_not_found'],
    [
      'from a page of another site',
      { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, allow_loopback: false } },
      'unregistered_origin',
    ],
  ])('%s is refused', async (__, options, type) => {
    const app = createApp({ ...provider.services, ...options });
    const reply = await app.request('/sdk/v1/oauth/google/onetap/start', {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, ''), 'content-type': 'application/json', origin: HOST },
      body: JSON.stringify({ public_token: PUBLIC_TOKEN }),
    });
    expect(((await reply.json()) as Fields)['error_type']).toBe(type);
  });

  it.each([
    ['login', []],
    ['signup', [`${HOST}/a`]],
  ])('without a registered %s URL is refused', async (kind, redirect_urls) => {
    const project = {
      ...DEMO_PROJECT,
      ...WITHOUT_PKCE,
      allow_loopback: false,
      redirect_urls,
      default_login_redirect_url: `${HOST}/a`,
    };
    const app = createApp({ ...provider.services, project });
    const reply = await app.request('/sdk/v1/oauth/google/onetap/submit', {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, ''), 'content-type': 'application/json' },
      body: JSON.stringify({ public_token: PUBLIC_TOKEN, id_token: 'x', oauth_callback_id: 'x' }),
    });
    expect(((await reply.json()) as Fields)['error_type']).toBe(`no_${kind}_redirect_urls_set`);
  });

  describe('the stand-in for its script', () => {
    it('is served with the page that it frames', async () => {
      const script = await provider.app.request(`${ORIGIN}/accounts/google/gsi/client`);
      expect(script.headers.get('content-type')).toContain('text/javascript');
      expect(await script.text()).toContain('renderButton');
      const query = new URLSearchParams({ client_id: 'portico-test-client', origin: HOST });
      const page = await provider.app.request(`${ORIGIN}/accounts/google/gsi/select?${query}`);
      expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${HOST};`);
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(await page.text()).toContain(`data-parent="${HOST}"`);
    });

    it('gives an ID token to its own page only', async () => {
      expect((await credential({}, HOST)).status).toBe(403);
      expect((await credential({}, 'null')).status).toBe(403);
      expect((await credential({ client_id: 'other' })).status).toBe(401);
      expect((await credential({ email: 'nobody' })).status).toBe(400);
      const reply = await credential();
      expect(reply.status).toBe(200);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    });
  });
});
