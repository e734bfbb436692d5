import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { CALLBACK, ISSUER, makeApps, REQUEST, type Apps } from '../kit/idp-harness.ts';

/** Each is one step away from a registered one. */
const STRANGE = [
  `${CALLBACK}/`,
  `${CALLBACK}/more`,
  `${CALLBACK}/../callback`,
  `${CALLBACK}?`,
  `${CALLBACK}?x=1`,
  `${CALLBACK}#`,
  `${CALLBACK}#x`,
  'https://planner.example/Callback',
  'https://PLANNER.example/callback',
  'HTTPS://planner.example/callback',
  'https://planner.example/%63allback',
  'https://planner.example:443/callback',
  'https://planner.example:8443/callback',
  'https://planner.example./callback',
  'http://planner.example/callback',
  'https://app.planner.example/callback',
  'https://planner.example.evil.example/callback',
  'https://planner.example@evil.example/callback',
  'https://ada@planner.example/callback',
  'https://planner.example\\@evil.example/callback',
  '//planner.example/callback',
  '/callback',
  ` ${CALLBACK}`,
  `${CALLBACK}\n`,
  `${CALLBACK} https://evil.example/`,
  'javascript:alert(1)//planner.example/callback',
  '',
];

/** Only the port of http on loopback is free (RFC 8252, section 7.3). */
const STRANGE_ON_LOOPBACK = [
  'http://localhost:99999/callback',
  'http://localhost:3000/callback/',
  'http://localhost:3000/other',
  'http://localhost:3000/callback?x=1',
  'http://localhost:3000/callback#x',
  'http://localhost:3000@evil.example/callback',
  'http://ada@localhost:3000/callback',
  'http://localhost.evil.example:3000/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]:3000/callback',
  'https://localhost:3000/callback',
  'http://LOCALHOST:3000/callback',
  'http://localhost:/callback/x',
];

describe.each(EITHER_DATABASE)('an authorization request on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  const queryOf = ({ data }: { readonly data: Fields }) =>
    Object.fromEntries(new URL(data['redirect_uri']).searchParams);

  it.each([
    ...STRANGE.map((uri) => ['planner', uri] as const),
    ...STRANGE_ON_LOOPBACK.map((uri) => ['desktop', uri] as const),
  ])('leads %s nowhere with the redirect URI %j', async (client_id, redirect_uri) => {
    const fields = { client_id, redirect_uri };
    const replies = [
      await apps.start(fields),
      await apps.submit(fields),
      await apps.submit({ ...fields, consent_granted: false }),
      await apps.submit({ ...fields, prompt: 'none' }),
    ];
    for (const { body, headers } of replies) {
      expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_redirect_uri' });
      expect(headers.get('location')).toBeNull();
    }
  });

  it.each(['http://localhost/callback', 'http://localhost:1/callback', 'http://localhost:61234/callback'])(
    'leads a desktop app to %s',
    async (redirect_uri) => {
      const answer = await apps.submit({ client_id: 'desktop', redirect_uri });
      expect(answer.data['redirect_uri'].startsWith(`${redirect_uri}?code=`)).toBe(true);
      const code = answer.data['authorization_code'];
      const elsewhere = await apps.redeem({ client_id: 'desktop', code, redirect_uri: 'http://localhost:2/callback' });
      expect(elsewhere.body['error']).toBe('invalid_grant');
      expect((await apps.redeem({ client_id: 'desktop', code, redirect_uri })).status).toBe(200);
    },
  );

  it('leads an unknown client nowhere, whatever it asks for', async () => {
    for (const fields of [{}, { prompt: 'none' }, { consent_granted: false }]) {
      const { body } = await apps.submit({ client_id: 'nobody', ...fields });
      expect(body).toMatchObject({ status_code: 404, error_type: 'connected_app_not_found' });
    }
  });

  it('is answered with access_denied, the state and the issuer when the user denies it, and grants nothing', async () => {
    const user = await apps.provider.signIn('denier@example.com');
    const answer = await apps.submit({ consent_granted: false, state: 'a b' }, user);
    expect(queryOf(answer)).toEqual({ error: 'access_denied', state: 'a b', iss: ISSUER });
    expect((await apps.start({}, user)).data['consent_required']).toBe(true);
  });

  it('never gives a scope that the user cannot grant, even when it is submitted', async () => {
    const code = await apps.codeFor({ scopes: ['openid', 'write', 'purge'] });
    expect((await apps.redeem({ code })).body['scope']).toBe('openid write');
    expect((await apps.submit({ scopes: ['purge'] })).body['error_type']).toBe('invalid_scope');
    const silent = await apps.submit({ scopes: ['openid', 'purge'], prompt: 'none' });
    expect((await apps.redeem({ code: queryOf(silent)['code'] })).body['scope']).toBe('openid');
  });

  it.each<[string, string, Fields]>([
    ['consent_required', 'the user was never asked', {}],
    ['consent_required', 'more is asked for than was granted', { scopes: ['openid', 'profile'] }],
    ['invalid_scope', 'a scope is unknown', { scopes: ['nothing'] }],
    ['unsupported_response_type', 'no code is asked for', { response_type: 'token' }],
    ['invalid_request', 'PKCE is missing', { code_challenge: undefined }],
    ['invalid_request', 'PKCE is plain', { code_challenge_method: 'plain' }],
    ['invalid_request', 'max_age is none', { max_age: '-1' }],
    ['invalid_request', 'none is not alone', { prompt: 'none login' }],
  ])('is answered for prompt=none with %s when %s', async (error, why, fields) => {
    const user = await apps.provider.signIn(`silent-${why.length}@example.com`);
    if (why.startsWith('more')) await apps.codeFor({}, user);
    const request = { prompt: 'none', state: 's', ...fields };
    expect((await apps.start(request, user)).data['consent_required']).toBe(false);
    const answer = await apps.submit(request, user);
    expect(queryOf(answer)).toMatchObject({ error, state: 's', iss: ISSUER });
    expect(answer.data).not.toHaveProperty('authorization_code');
  });

  it('is answered with login_required for prompt=none without a session', async () => {
    const body = { ...REQUEST, prompt: 'none', state: 's', consent_granted: false };
    for (const extras of [{}, { session: 'gone' }]) {
      const answer = await apps.provider.post('/idp/oauth/authorize/submit', body, extras);
      expect(queryOf(answer)).toMatchObject({ error: 'login_required', state: 's' });
    }
    const { prompt: _prompt, ...loud } = body;
    const refused = await apps.provider.post('/idp/oauth/authorize/submit', loud);
    expect(refused.body['error_type']).toBe('user_unauthenticated');
  });

  it('is answered with a code for prompt=none once the same or more was granted', async () => {
    const user = await apps.provider.signIn('known@example.com');
    await apps.codeFor({ scopes: ['openid', 'email'] }, user);
    const answer = await apps.submit({ prompt: 'none', scopes: ['openid'], state: 's' }, user);
    expect(queryOf(answer)).toMatchObject({ state: 's', iss: ISSUER, code: expect.any(String) });
  });

  it('always asks for prompt=consent or select_account, and refuses an unknown prompt', async () => {
    await apps.codeFor();
    expect((await apps.start()).data['consent_required']).toBe(false);
    for (const prompt of ['consent', 'select_account consent', 'select_account']) {
      expect((await apps.start({ prompt })).data['consent_required']).toBe(true);
    }
    expect((await apps.start({ prompt: 'sign_up' })).body['error_type']).toBe('invalid_prompt');
  });

  it('asks for prompt=create unless the account logged in for this request', async () => {
    const prompt = 'create';
    const user = await apps.provider.signIn('earlier@example.com');
    await apps.codeFor({}, user);
    const request = await apps.arrive({ prompt });
    expect((await apps.start(request, user)).data['consent_required']).toBe(true);
    apps.provider.clock.time += 1000;
    const later = await apps.provider.signIn('earlier@example.com');
    expect((await apps.start(request, later)).data['consent_required']).toBe(false);
  });
});
