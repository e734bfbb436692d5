import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, ORIGIN, VERIFIER, type Choice } from '../kit/oauth-harness.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const TYPES = Object.keys(OAUTH_PROVIDERS) as OAuthProvider[];
const CROWD = Array.from({ length: SOAK ? 50 : 8 });
const ADA = { account: 'ada@example.com' } as const;
const CALLBACK_ERROR = 'oauth_flow_callback_error';

describe.each(EITHER_DATABASE)('social logins on %s', (_, url) => {
  let provider: Provider;
  let visitor: ReturnType<typeof browser>;
  beforeAll(async () => {
    provider = await makeProvider(url);
    visitor = browser(provider);
  });
  afterAll(() => provider.close());

  const redeem = (token: string, fields: Fields = {}) =>
    provider.post('/oauth/authenticate', { token, session_duration_minutes: 30, ...fields });
  /** Why the callback led back without a token, or null. */
  const failureOf = async (callback: string): Promise<string | null> => {
    const location = (await visitor.get(callback)).headers.get('location') ?? 'about:blank';
    const { searchParams } = new URL(location);
    return searchParams.has('token') ? null : searchParams.get('error');
  };
  const someone = (email: string): Choice => ({ email, verified: 'yes' });

  it.each(oneOf(6, TYPES))('logs in by %s', async (type) => {
    const options = {
      login_redirect_url: 'http://localhost:3000/in?x=1',
      signup_redirect_url: 'http://localhost:3000/up',
    };
    const email = `${type}@example.org`;
    const first = await visitor.login(type, someone(email), options);
    expect(first.pathname).toBe('/up');
    // Somebody is new until the first login is redeemed.
    expect((await visitor.login(type, someone(email), options)).pathname).toBe('/up');
    expect((await redeem(first.searchParams.get('token') ?? '')).status).toBe(200);
    const again = await visitor.login(type, someone(email), options);
    expect(`${again.pathname}${again.search.slice(0, 5)}`).toBe('/in?x=1&');
    expect(again.searchParams.get('stytch_token_type')).toBe('oauth');
    const { status, data } = await redeem(again.searchParams.get('token') ?? '');
    expect(status).toBe(200);
    expect(data).toMatchObject({ provider_type: type, locale: 'en' });
    expect(data['user'].providers).toMatchObject([{ provider_type: type, provider_subject: data['provider_subject'] }]);
    expect(data['user'].emails).toMatchObject([{ email, verified: true }]);
    expect(data['session'].authentication_factors).toMatchObject([{ type: 'oauth', delivery_method: `oauth_${type}` }]);
    const { access_token, id_token, refresh_token, scopes, expires_at } = data['provider_values'];
    for (const value of [access_token, id_token, refresh_token]) expect(value).toBeTypeOf('string');
    expect(scopes).toContain('openid');
    expect(Date.parse(expires_at)).toBeGreaterThan(provider.clock.time);
    expect((await redeem(again.searchParams.get('token') ?? '')).body['error_type']).toBe('oauth_token_not_found');
  });

  it('passes scopes and parameters to the provider, except those that the server sets itself', async () => {
    const started = await visitor.start('google', {
      custom_scopes: ['calendar', 'email'],
      provider_params: { login_hint: 'ada@example.com', redirect_uri: 'https://evil.example/', state: 'mine' },
    });
    expect(started.status).toBe(303);
    const target = new URL(started.headers.get('location') ?? '');
    expect(target.pathname).toBe('/accounts/google/authorize');
    expect(target.searchParams.get('scope')).toBe('openid email profile calendar');
    expect(target.searchParams.get('login_hint')).toBe('ada@example.com');
    expect(target.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/v1/public/oauth/google/callback`);
    expect(target.searchParams.get('state')).toMatch(/^[\w-]{43}$/u);
    expect(await (await visitor.get(target.href)).text()).toContain('value="ada@example.com"');
  });

  it.each([
    [true, undefined, 400, 'pkce_expected_code_verifier'],
    [true, 'x'.repeat(64), 400, 'pkce_mismatch'],
    [true, 'short', 400, 'pkce_mismatch'],
    [true, VERIFIER, 200, undefined],
    [false, VERIFIER, 400, 'pkce_expected_code_challenge'],
    [false, undefined, 200, undefined],
  ])('answers a challenge %s and the verifier %s with %s', async (withChallenge, code_verifier, status, type) => {
    const token = await visitor.token('google', ADA, withChallenge ? { code_challenge: CHALLENGE } : {});
    const reply = await redeem(token, { code_verifier });
    expect(reply.status).toBe(status);
    expect(reply.body['error_type']).toBe(type);
    if (status === 200) return;
    expect(reply.body['error_message']).toContain('pkce');
    // A wrong browser does not burn the token of the right one.
    expect((await redeem(token, withChallenge ? { code_verifier: VERIFIER } : {})).status).toBe(200);
  });

  it('redeems a token once, however many ask at once', async () => {
    const token = await visitor.token('github', ADA);
    const replies = await Promise.all(CROWD.map(() => redeem(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
  });

  it('keeps a token for five minutes', async () => {
    const token = await visitor.token('github', ADA);
    provider.clock.time += 5 * MINUTE;
    expect((await redeem(token)).body).toMatchObject({ status_code: 404, error_type: 'oauth_token_not_found' });
  });

  const ELSEWHERE = [
    'https://evil.example/',
    'http://localhost.evil.example/',
    'http://localhost:3000@evil.example/',
    'javascript:alert(1)//localhost',
    '//localhost/',
    'http://localhost/#fragment',
    'http://user:pw@localhost/',
  ];
  it.each(oneOf(2, ELSEWHERE))('does not lead to %s', async (address) => {
    for (const field of ['login_redirect_url', 'signup_redirect_url']) {
      const reply = await visitor.start('google', { [field]: address });
      expect(reply.status).toBe(400);
      expect(reply.headers.get('location')).toBeNull();
      expect(await reply.text()).toContain('no_match_for_provided_oauth_url');
    }
  });

  it.each([
    ['/v1/public/oauth/google/start?public_token=public-token-test-x', 401, 'invalid_public_token'],
    ['/v1/public/oauth/google/start', 401, 'missing_public_token'],
    [`/v1/public/oauth/myspace/start?public_token=${PUBLIC_TOKEN}`, 404, 'oauth_config_not_found'],
    [`/v1/public/oauth/__proto__/start?public_token=${PUBLIC_TOKEN}`, 404, 'oauth_config_not_found'],
    [`/v1/public/oauth/google/start?public_token=${PUBLIC_TOKEN}&code_challenge=x`, 400, 'invalid_code_challenge'],
    [
      `/v1/public/oauth/google/start?public_token=${PUBLIC_TOKEN}&login_redirect_url=http://localhost/&login_redirect_url=http://localhost/2`,
      400,
      'duplicate_parameter',
    ],
    ['/v1/public/oauth/google/callback', 400, CALLBACK_ERROR],
    ['/v1/public/oauth/google/callback?state=x&code=y', 400, CALLBACK_ERROR],
    ['/accounts/myspace/authorize', 404, 'route_not_found'],
    ['/accounts/google/authorize?client_id=x', 401, 'invalid_client'],
    [
      '/accounts/google/gsi/select?client_id=portico-test-client&origin=https://evil.example',
      403,
      'unregistered_origin',
    ],
  ])('refuses %s as a page to a browser and as JSON to others', async (path, status, type) => {
    const json = await visitor.get(`${ORIGIN}${path}`, {});
    expect(json.status).toBe(status);
    expect(((await json.json()) as Fields)['error_type']).toBe(type);
    const page = await visitor.get(`${ORIGIN}${path}`);
    expect(page.status).toBe(status);
    expect(page.headers.get('location')).toBeNull();
    expect(await page.text()).toContain(type);
  });

  it('takes a state, a code and their pair once', async () => {
    const back = await visitor.callback('google', ADA);
    const [first, second] = await Promise.all([visitor.get(back), visitor.get(back)]);
    expect(new Set([first.status, second.status])).toEqual(new Set([303, 400]));
    const other = new URL(await visitor.callback('google', ADA));
    other.searchParams.set('code', new URL(back).searchParams.get('code') ?? '');
    expect(await failureOf(other.href)).toBe('server_error');
  });

  it('takes no code of another login, another provider or another issuer', async () => {
    const a = new URL(await visitor.callback('google', ADA));
    const b = new URL(await visitor.callback('google', ADA));
    b.searchParams.set('code', a.searchParams.get('code') ?? '');
    expect(await failureOf(b.href)).toBe('server_error');
    const c = await visitor.callback('google', ADA);
    expect((await visitor.get(c.replace('/oauth/google/', '/oauth/github/'))).status).toBe(400);
    const d = new URL(await visitor.callback('google', ADA));
    d.searchParams.set('iss', 'https://accounts.evil.example');
    expect((await visitor.get(d.href)).status).toBe(400);
    const e = new URL(await visitor.callback('google', ADA));
    provider.clock.time += 2 * MINUTE;
    expect(await failureOf(e.href)).toBe('server_error');
  });

  it('refuses an ID token with the nonce of another login', async () => {
    const back = await visitor.callback('google', ADA);
    await provider.services.db.updateTable('account_codes').set({ nonce: 'other' }).execute();
    expect(await failureOf(back)).toBe('server_error');
  });

  describe('linking', () => {
    it('a login joins the user who verified the same address', async () => {
      const known = await provider.signIn('known@example.com');
      const { data } = await redeem(await visitor.token('slack', someone('Known@example.com')));
      expect(data['user_id']).toBe(known['user_id']);
      expect(data['user'].emails).toHaveLength(1);
    });

    it('a login joins no user by an address that the provider did not verify', async () => {
      const known = await provider.signIn('target@example.com');
      const { data } = await redeem(await visitor.token('slack', { email: 'target@example.com' }));
      expect(data['user_id']).not.toBe(known['user_id']);
      expect(data['user'].emails).toEqual([]);
    });

    it('a login joins the user who signed up with the address, and ends access that a stranger may have prepared', async () => {
      const [email, password] = ['victim@example.com', 'a rather long and winding road'];
      const signUp = { email, password, session_duration_minutes: 30 };
      const waiting = await provider.post('/passwords', signUp);
      expect(waiting.status).toBe(200);
      const { data } = await redeem(await visitor.token('slack', someone(email)));
      expect(data['user_id']).toBe(waiting.data['user_id']);
      expect(data['user'].emails).toMatchObject([{ email, verified: true }]);
      const session = String(waiting.data['session_token']);
      expect((await provider.post('/sessions/authenticate', {}, { session })).status).toBe(401);
      expect((await provider.post('/passwords/authenticate', signUp)).body['error_type']).toBe('reset_password');
    });

    it('a login joins a user who was only invited so far', async () => {
      const email = 'invited@example.com';
      const invited = await provider.post('/magic_links/email/login_or_create', { email });
      const { data } = await redeem(await visitor.token('slack', someone(email)));
      expect(data['user_id']).toBe(invited.data['user_id']);
      expect(data['user'].status).toBe('active');
    });

    soakIt('twenty logins at once make one user', async () => {
      const logins = CROWD.slice(0, 20).map((__, index) =>
        visitor.token(index % 2 ? 'google' : 'apple', someone('many@example.com')),
      );
      const replies = await Promise.all((await Promise.all(logins)).map((token) => redeem(token)));
      expect(new Set(replies.map(({ data }) => data['user_id'])).size).toBe(1);
    });
  });

  describe('the account page', () => {
    it('cannot be framed, runs no script and shows text as text', async () => {
      const started = await visitor.start('apple', { provider_params: { login_hint: '"><script>alert(1)</script>' } });
      const page = await visitor.get(started.headers.get('location') ?? '');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).toContain(`frame-ancestors 'none'`);
      expect(policy).not.toMatch(/unsafe|script-src/u);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      const text = await page.text();
      expect(text).not.toContain('<script');
      expect(text).toContain('Sign in with Apple');
      expect(text).toContain('Ada Lovelace');
      expect((await visitor.get(`${ORIGIN}/accounts/accounts.css`)).status).toBe(200);
      expect((await visitor.get(`${ORIGIN}/accounts/pictures/AL.svg`)).headers.get('content-type')).toBe(
        'image/svg+xml',
      );
    });

    it('never redirects to an unregistered address', async () => {
      const started = await visitor.start('google');
      const target = new URL(started.headers.get('location') ?? '');
      target.searchParams.set('redirect_uri', 'https://evil.example/');
      const reply = await visitor.get(target.href);
      expect(reply.status).toBe(401);
      expect(reply.headers.get('location')).toBeNull();
    });

    it.each([
      ['response_type', 'token', 'unsupported_response_type'],
      ['scope', 'email', 'invalid_scope'],
      ['code_challenge_method', 'plain', 'invalid_request'],
      ['code_challenge', 'short', 'invalid_request'],
    ])('answers %s=%s with %s', async (field, value, error) => {
      const started = await visitor.start('google');
      const target = new URL(started.headers.get('location') ?? '');
      target.searchParams.set(field, value);
      const back = new URL((await visitor.get(target.href)).headers.get('location') ?? '');
      expect(back.searchParams.get('error')).toBe(error);
      expect(back.searchParams.get('state')).toBe(target.searchParams.get('state'));
    });
  });
});
