import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '../../../src/application/api/index.ts';
import type { PorticoClient } from '../../../src/composition/client.ts';
import { errorReply, rawReply } from '../../../src/infrastructure/fake/fake-reply.ts';
import { sha256url, TestWorld, TOKEN } from './world.ts';

const D = { session_duration_minutes: 60 };
const ADDRESS = { crypto_wallet_address: '0xabc', crypto_wallet_type: 'ethereum' };
const AUTHORIZE = { client_id: 'c', redirect_uri: 'https://a.example/', response_type: 'code', scopes: ['openid'] };

interface Row {
  readonly call: (client: PorticoClient) => Promise<unknown>;
  readonly to: Endpoint;
  readonly path?: string;
  readonly body: unknown;
  readonly signedIn?: boolean;
}

const ROWS: readonly Row[] = [
  {
    call: (c) => c.user.update({ name: { first_name: 'Ada' }, untrusted_metadata: { a: 1 } }),
    to: api.users.update,
    body: { name: { first_name: 'Ada' }, untrusted_metadata: { a: 1 } },
  },
  { call: (c) => c.user.deleteEmail('e/1'), to: api.users.deleteEmail, path: '/users/emails/e%2F1', body: null },
  {
    call: (c) => c.user.deletePhoneNumber('p'),
    to: api.users.deletePhoneNumber,
    path: '/users/phone_numbers/p',
    body: null,
  },
  { call: (c) => c.user.deleteTOTP('t'), to: api.users.deleteTOTP, path: '/users/totps/t', body: null },
  {
    call: (c) => c.user.deleteCryptoWallet('w'),
    to: api.users.deleteCryptoWallet,
    path: '/users/crypto_wallets/w',
    body: null,
  },
  {
    call: (c) => c.user.deleteOAuthRegistration('o'),
    to: api.users.deleteOAuthRegistration,
    path: '/users/oauth/o',
    body: null,
  },
  {
    call: (c) => c.user.deleteWebauthnRegistration('r'),
    to: api.users.deleteWebauthnRegistration,
    path: '/users/webauthn_registrations/r',
    body: null,
  },
  {
    call: (c) => c.user.deleteBiometricRegistration('b'),
    to: api.users.deleteBiometricRegistration,
    path: '/users/biometric_registrations/b',
    body: null,
  },
  { call: (c) => c.user.getConnectedApps(), to: api.users.connectedApps, body: null },
  {
    call: (c) => c.user.revokedConnectedApp('a'),
    to: api.users.revokeConnectedApp,
    path: '/users/connected_apps/a/revoke',
    body: {},
  },
  { call: (c) => c.user.search('a@b.co'), to: api.users.search, body: { email: 'a@b.co' } },
  { call: (c) => c.session.authenticate(), to: api.sessions.authenticate, body: {} },
  { call: (c) => c.session.authenticate(D), to: api.sessions.authenticate, body: D },
  { call: (c) => c.session.revoke(), to: api.sessions.revoke, body: {} },
  {
    call: (c) => c.session.exchangeAccessToken({ access_token: 'a', ...D }),
    to: api.sessions.exchangeAccessToken,
    body: { access_token: 'a', ...D },
  },
  {
    call: (c) => c.session.attest({ profile_id: 'p', token: 't' }),
    to: api.sessions.attest,
    body: { profile_id: 'p', token: 't' },
  },
  {
    call: (c) => c.magicLinks.email.loginOrCreate('a@b.co'),
    to: api.magicLinks.loginOrCreate,
    body: { email: 'a@b.co' },
  },
  {
    call: (c) => c.magicLinks.email.send('a@b.co', { locale: 'en' }),
    to: api.magicLinks.sendPrimary,
    body: { email: 'a@b.co', locale: 'en' },
  },
  {
    call: (c) => c.magicLinks.email.send('a@b.co'),
    to: api.magicLinks.sendSecondary,
    body: { email: 'a@b.co' },
    signedIn: true,
  },
  { call: (c) => c.magicLinks.authenticate('t', D), to: api.magicLinks.authenticate, body: { token: 't', ...D } },
  {
    call: (c) => c.otps.email.send('a@b.co', { expiration_minutes: 5 }),
    to: api.otps.emailSendPrimary,
    body: { email: 'a@b.co', expiration_minutes: 5 },
  },
  {
    call: (c) => c.otps.email.send('a@b.co'),
    to: api.otps.emailSendSecondary,
    body: { email: 'a@b.co' },
    signedIn: true,
  },
  {
    call: (c) => c.otps.sms.loginOrCreate('+15005550006', { expiration_minutes: 5, enable_autofill: true }),
    to: api.otps.smsLoginOrCreate,
    body: { phone_number: '+15005550006', expiration_minutes: 5, enable_autofill: true },
  },
  { call: (c) => c.otps.sms.send('+15005550006'), to: api.otps.smsSendPrimary, body: { phone_number: '+15005550006' } },
  {
    call: (c) => c.otps.sms.send('+15005550006'),
    to: api.otps.smsSendSecondary,
    body: { phone_number: '+15005550006' },
    signedIn: true,
  },
  {
    call: (c) => c.otps.whatsapp.loginOrCreate('+15005550006'),
    to: api.otps.whatsappLoginOrCreate,
    body: { phone_number: '+15005550006' },
  },
  {
    call: (c) => c.otps.whatsapp.send('+15005550006'),
    to: api.otps.whatsappSendPrimary,
    body: { phone_number: '+15005550006' },
  },
  {
    call: (c) => c.otps.whatsapp.send('+15005550006'),
    to: api.otps.whatsappSendSecondary,
    body: { phone_number: '+15005550006' },
    signedIn: true,
  },
  {
    call: (c) => c.otps.authenticate('123456', 'm', D),
    to: api.otps.authenticate,
    body: { token: '123456', method_id: 'm', ...D },
  },
  { call: (c) => c.oauth.attach('google'), to: api.oauth.attach, body: { provider: 'google' } },
  { call: (c) => c.oauth.authenticate('t', D), to: api.oauth.authenticate, body: { token: 't', ...D } },
  {
    call: (c) => c.passwords.create({ email: 'a@b.co', password: 'p', ...D }),
    to: api.passwords.create,
    body: { email: 'a@b.co', password: 'p', ...D },
  },
  {
    call: (c) => c.passwords.authenticate({ email: 'a@b.co', password: 'p', ...D }),
    to: api.passwords.authenticate,
    body: { email: 'a@b.co', password: 'p', ...D },
  },
  {
    call: (c) => c.passwords.resetByEmailStart({ email: 'a@b.co', login_redirect_url: 'https://a.example/' }),
    to: api.passwords.resetByEmailStart,
    body: { email: 'a@b.co', login_redirect_url: 'https://a.example/' },
  },
  {
    call: (c) => c.passwords.resetByEmail({ token: 't', password: 'p', ...D }),
    to: api.passwords.resetByEmail,
    body: { token: 't', password: 'p', ...D },
  },
  {
    call: (c) =>
      c.passwords.resetByExistingPassword({ email: 'a@b.co', existing_password: 'o', new_password: 'n', ...D }),
    to: api.passwords.resetByExistingPassword,
    body: { email: 'a@b.co', existing_password: 'o', new_password: 'n', ...D },
  },
  {
    call: (c) => c.passwords.resetBySession({ password: 'p' }),
    to: api.passwords.resetBySession,
    body: { password: 'p' },
  },
  {
    call: (c) => c.passwords.strengthCheck({ password: 'p' }),
    to: api.passwords.strengthCheck,
    body: { password: 'p' },
  },
  { call: (c) => c.totps.create({ expiration_minutes: 30 }), to: api.totps.create, body: { expiration_minutes: 30 } },
  {
    call: (c) => c.totps.authenticate({ totp_code: '1', ...D }),
    to: api.totps.authenticate,
    body: { totp_code: '1', ...D },
  },
  { call: (c) => c.totps.recoveryCodes(), to: api.totps.recoveryCodes, body: {} },
  {
    call: (c) => c.totps.recover({ recovery_code: 'r', ...D }),
    to: api.totps.recover,
    body: { recovery_code: 'r', ...D },
  },
  {
    call: (c) => c.webauthn.update({ webauthn_registration_id: 'r', name: 'n' }),
    to: api.webauthn.update,
    path: '/webauthn/update/r',
    body: { name: 'n' },
  },
  {
    call: (c) => c.cryptoWallets.authenticateStart(ADDRESS),
    to: api.cryptoWallets.authenticateStartPrimary,
    body: ADDRESS,
  },
  {
    call: (c) => c.cryptoWallets.authenticateStart(ADDRESS),
    to: api.cryptoWallets.authenticateStartSecondary,
    body: ADDRESS,
    signedIn: true,
  },
  {
    call: (c) => c.cryptoWallets.authenticate({ ...ADDRESS, signature: 's', ...D }),
    to: api.cryptoWallets.authenticate,
    body: { ...ADDRESS, signature: 's', ...D },
  },
  { call: (c) => c.session.list(), to: api.ownSessions.list, body: null, signedIn: true },
  {
    call: (c) => c.session.list({ cursor: '1.s-1' }),
    to: api.ownSessions.listAfter,
    path: '/users/sessions/after/1.s-1',
    body: null,
    signedIn: true,
  },
  { call: (c) => c.session.revokeOthers(), to: api.ownSessions.revokeOthers, body: {}, signedIn: true },
  {
    call: (c) => c.session.revokeOther('s-1'),
    to: api.ownSessions.revokeOther,
    path: '/users/sessions/s-1/revoke',
    body: {},
    signedIn: true,
  },
  {
    call: (c) => c.impersonation.authenticate({ impersonation_token: 'i' }),
    to: api.impersonation.authenticate,
    body: { impersonation_token: 'i' },
  },
  {
    call: (c) => c.b2b.searchMember({ email_address: 'a@b.co', organization_id: 'o' }),
    to: api.b2b.searchMember,
    body: { email_address: 'a@b.co', organization_id: 'o' },
  },
  { call: (c) => c.idp.oauthAuthorizeStart(AUTHORIZE), to: api.idp.authorizeStart, body: AUTHORIZE },
  {
    call: (c) => c.idp.oauthAuthorizeSubmit({ ...AUTHORIZE, consent_granted: true, state: 's' }),
    to: api.idp.authorizeSubmit,
    body: { ...AUTHORIZE, consent_granted: true, state: 's' },
  },
  {
    call: (c) => c.idp.oauthLogoutStart({ client_id: 'c', post_logout_redirect_uri: 'https://a.example/' }),
    to: api.idp.logoutStart,
    body: { client_id: 'c', post_logout_redirect_uri: 'https://a.example/' },
  },
];

async function open(signedIn = false, project: Readonly<Record<string, unknown>> = {}) {
  const world = new TestWorld();
  Object.assign(world.server.project, project);
  const opened = world.open();
  const reply = signedIn ? await world.signIn(opened.client) : null;
  return { ...opened, world, reply };
}

describe('every call', () => {
  for (const { call, to, path, body, signedIn } of ROWS) {
    it(`${to.name} sends ${to.method} ${path ?? to.path} with exactly its fields${signedIn ? ', signed in' : ''}`, async () => {
      const { world, client } = await open(signedIn);
      world.transport.answer(to, () => errorReply(418, 'teapot'));
      await expect(call(client)).rejects.toMatchObject({ error_type: 'teapot', status_code: 418 });
      const [request] = world.transport.requestsTo(to);
      expect(request).toMatchObject({ method: to.method, path: path ?? to.path });
      expect(request?.body).toEqual(body);
    });
  }
});

describe('calls from JavaScript', () => {
  it('take null for options that are not given, and name an argument that is missing', async () => {
    const { world, client, tab } = await open(true);
    const none = null as never;
    const sent: readonly [Endpoint, () => Promise<unknown>, object][] = [
      [api.sessions.authenticate, () => client.session.authenticate(none), {}],
      [
        api.magicLinks.loginOrCreate,
        () => client.magicLinks.email.loginOrCreate('ada@a.example', none),
        { email: 'ada@a.example' },
      ],
      [api.otps.smsLoginOrCreate, () => client.otps.sms.loginOrCreate('+1', none), { phone_number: '+1' }],
      [api.sessions.revoke, () => client.session.revoke(none), {}],
    ];
    for (const [endpoint, call, body] of sent) {
      world.transport.answer(endpoint, () => errorReply(418, 'teapot'));
      await expect(call()).rejects.toMatchObject({ error_type: 'teapot' });
      expect(world.transport.requestsTo(endpoint).at(-1)?.body).toMatchObject(body);
    }
    world.transport.answer(api.webauthn.registerStart, () => errorReply(418, 'teapot'));
    await expect(client.webauthn.register(none)).rejects.toMatchObject({ error_type: 'teapot' });
    await client.oauth.github.start(none);
    expect(tab.browser.navigations).toHaveLength(1);
    await expect(client.user.update(none)).rejects.toMatchObject({
      name: 'SDKUsageError',
      message: 'Invalid call to user.update\nchanges must be an object',
    });
  });
});

describe('calls that sign in', () => {
  const signIn = ROWS.filter(({ to }) => 'session' in to.reply && to.name !== 'sessions.authenticate');

  it('are found in the table', () => expect(signIn.length).toBeGreaterThanOrEqual(14));

  for (const { call, to } of signIn) {
    it(`${to.name} makes the session and answers the reply unchanged`, async () => {
      const { world, client, reply } = await open(true);
      const session = { ...(reply?.session as object), session_id: 'session-other' };
      const answer = {
        ...reply,
        session,
        session_token: 'other',
        method_id: 'm',
        webauthn_registration_id: 'r',
        extra: [1],
      };
      world.transport.answer(to, () => answer);
      expect(await call(client)).toEqual(answer);
      expect(client.session.getSync()).toEqual(session);
      expect(client.session.getTokens()?.session_token).toBe('other');
    });
  }
});

describe('replies that change the user', () => {
  it('are taken over, and answered without the whole user', async () => {
    const { world, client, reply } = await open(true);
    const __user = { ...reply?.user, name: { first_name: 'Ada' } };
    world.transport.answer(api.users.update, () => ({ user_id: 'u', emails: [], __user }));
    expect(await client.user.update({ name: { first_name: 'Ada' } })).toEqual({ user_id: 'u', emails: [] });
    expect(client.user.getSync()?.name).toEqual({ first_name: 'Ada' });
    world.transport.answer(api.users.deleteEmail, () => ({
      user_id: 'u',
      user: {},
      __user: { ...__user, emails: [] },
    }));
    await client.user.deleteEmail('e');
    expect(client.user.getSync()?.emails).toEqual([]);
    world.transport.answer(api.totps.create, () => ({
      totp_id: 't',
      secret: 's',
      __user: { ...__user, totps: [{ totp_id: 't', verified: false }] },
    }));
    expect(await client.totps.create({ expiration_minutes: 5 })).toEqual({ totp_id: 't', secret: 's' });
    expect(client.user.getSync()?.totps).toHaveLength(1);
  });
});

describe('social logins', () => {
  it('leave for a provider that the project names itself, and for no other address', async () => {
    const { client, tab } = await open();
    await client.oauth.start('my-sso', { login_redirect_url: 'https://a.example/' });
    expect(tab.browser.navigations[0]).toContain('https://test.stytch.com/v1/public/oauth/my-sso/start?public_token=');
    for (const name of ['', '../../evil', 'a/b', 'A', 'a?b']) {
      await expect(client.oauth.start(name)).rejects.toThrow('provider must be the name of a provider');
    }
    expect(tab.browser.navigations).toHaveLength(1);
  });

  it('leave for the provider, with a proof key when the project requires one, and come back with its verifier', async () => {
    const { world, client, tab } = await open(false, { pkce_required_for_oauth: true });
    await client.oauth.github.start({ login_redirect_url: 'https://a.example/', custom_scopes: ['x', 'y'] });
    const url = new URL(tab.browser.navigations[0] ?? '');
    expect(`${url.origin}${url.pathname}`).toBe('https://test.stytch.com/v1/public/oauth/github/start');
    expect(url.searchParams.get('public_token')).toBe(TOKEN);
    expect(url.searchParams.get('custom_scopes')).toBe('x y');
    world.transport.answer(api.oauth.authenticate, () => errorReply(404, 'oauth_token_not_found'));
    await client.oauth.authenticate('t', D).catch(() => undefined);
    const { code_verifier } = world.transport.requestsTo(api.oauth.authenticate)[0]?.body as { code_verifier: string };
    expect(await sha256url(code_verifier)).toBe(url.searchParams.get('code_challenge'));
    expect(tab.log.messages('warn')).toEqual([]);
  });

  it('leave by a form that carries all of it where the host wants that, so that no address does', async () => {
    const { world, client, tab } = await open(false, { pkce_required_for_oauth: true });
    const provider_params = { 'login hint': 'é&=', hd: null as never };
    await client.oauth.github.start({
      method: 'POST',
      login_redirect_url: 'https://a.example/',
      custom_scopes: ['x', 'y'],
      provider_params,
    });
    expect(tab.browser.navigations).toEqual([]);
    expect(tab.formPost.posted).toEqual([
      {
        url: 'https://test.stytch.com/v1/public/oauth/github/start',
        fields: {
          public_token: TOKEN,
          code_challenge: expect.stringMatching(/^[\w-]{43}$/),
          custom_scopes: 'x y',
          'provider_login hint': 'é&=',
          login_redirect_url: 'https://a.example/',
        },
      },
    ]);
    world.transport.answer(api.oauth.authenticate, () => errorReply(404, 'oauth_token_not_found'));
    await client.oauth.authenticate('t', D).catch(() => undefined);
    const { code_verifier } = world.transport.requestsTo(api.oauth.authenticate)[0]?.body as { code_verifier: string };
    expect(await sha256url(code_verifier)).toBe(tab.formPost.posted[0]?.fields['code_challenge']);
  });

  it('attach by a form with a proof key, whether the project requires one or not', async () => {
    const { client, tab } = await open();
    for (const method of [undefined, 'POST'] as const) {
      await client.oauth.github.start({ oauth_attach_token: 'attach', method });
      expect(tab.formPost.posted.at(-1)?.fields).toEqual({
        public_token: TOKEN,
        oauth_attach_token: 'attach',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    expect(tab.browser.navigations).toEqual([]);
    await client.oauth.github.start({ oauth_attach_token: null as never, method: 'GET' });
    expect(tab.browser.navigations[0]).not.toContain('attach');
  });

  it('without a stored verifier warn, and go on', async () => {
    const { world, client, tab } = await open();
    await client.oauth.github.start({ login_redirect_url: 'http://localhost:3000/' });
    const back = world.server.returnFrom(tab.browser.navigations.at(-1) ?? '', { email: 'ada@example.com' });
    await client.oauth.authenticate(new URL(back).searchParams.get('token') ?? '', D);
    expect(client.session.getSync()).not.toBeNull();
    expect(tab.log.messages('warn')).toEqual([expect.stringContaining('No code verifier is stored')]);
    world.transport.answer(api.oauth.authenticate, () => errorReply(400, 'pkce_expected_code_verifier'));
    await expect(client.oauth.authenticate('t', D)).rejects.toMatchObject({
      error_type: 'pkce_expected_code_verifier',
    });
    expect(tab.log.messages('warn')).toHaveLength(2);
  });

  it('by One Tap submit the chosen account and go where the server says', async () => {
    const { world, client, tab } = await open();
    world.transport
      .answer(api.oauth.oneTapStart, () => ({ google_client_id: 'g', oauth_callback_id: 'cb' }))
      .answer(api.oauth.oneTapSubmit, () => ({ redirect_url: 'https://a.example/?token=x' }));
    let cancelled = 0;
    const options = { login_redirect_url: 'https://a.example/', onOneTapCancelled: () => (cancelled += 1) };
    expect(await client.oauth.googleOneTap.start(options)).toEqual({ success: true });
    expect(tab.oneTap.prompts[0]).toMatchObject({ clientId: 'g', nonce: expect.any(String) });
    tab.oneTap.choose('id-token');
    await world.settle();
    expect(world.transport.requestsTo(api.oauth.oneTapSubmit)[0]?.body).toEqual({
      public_token: TOKEN,
      id_token: 'id-token',
      oauth_callback_id: 'cb',
      login_redirect_url: 'https://a.example/',
    });
    expect(tab.browser.navigations).toEqual(['https://a.example/?token=x']);
    await client.oauth.googleOneTap.start(options);
    tab.oneTap.cancel();
    expect(cancelled).toBe(1);
  });

  it('by One Tap say why there is no prompt', async () => {
    const { world, client, tab } = await open();
    world.transport.answer(api.oauth.oneTapStart, () => errorReply(404, 'oauth_config_not_found'));
    expect(await client.oauth.googleOneTap.start()).toEqual({ success: false, reason: 'oauth_config_not_found' });
    world.transport.answer(api.oauth.oneTapStart, () => ({ google_client_id: 'g', oauth_callback_id: 'cb' }));
    tab.oneTap.refusal = 'opt_out';
    expect(await client.oauth.googleOneTap.start()).toEqual({ success: false, reason: 'opt_out' });
  });
});

describe('wallets', () => {
  it('are asked in the manner of EIP-4361 where the project requires it, and never a Solana one', async () => {
    const { world, client } = await open(false, { siwe_required_for_crypto_wallets: true });
    world.transport.answer(api.cryptoWallets.authenticateStartPrimary, () => ({ challenge: 'sign this' }));
    await client.cryptoWallets.authenticateStart({ ...ADDRESS, siwe_params: { chain_id: '5' } });
    await client.cryptoWallets.authenticateStart({ ...ADDRESS, siwe_params: { uri: 'https://b.example' } });
    await client.cryptoWallets.authenticateStart({
      ...ADDRESS,
      crypto_wallet_type: 'solana',
      siwe_params: { chain_id: '5' },
    });
    expect(world.transport.requestsTo(api.cryptoWallets.authenticateStartPrimary).map(({ body }) => body)).toEqual([
      { ...ADDRESS, siwe_params: { chain_id: '5', uri: 'http://localhost:3000' } },
      { ...ADDRESS, siwe_params: { uri: 'https://b.example' } },
      { ...ADDRESS, crypto_wallet_type: 'solana' },
    ]);
  });
});

describe('links and password resets', () => {
  it("try the proof key of the reset first, and the link's own when the server objects to it", async () => {
    const { world, client, tab } = await open(false, {
      pkce_required_for_password_resets: true,
      pkce_required_for_email_magic_links: true,
    });
    world.transport.answer(api.passwords.resetByEmailStart, () => ({}));
    await client.passwords.resetByEmailStart({ email: 'a@b.co' });
    await client.magicLinks.email.loginOrCreate('a@b.co');
    await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', D);
    const verifiers = world.transport
      .requestsTo(api.magicLinks.authenticate)
      .map(({ body }) => (body as { code_verifier: string }).code_verifier);
    expect(new Set(verifiers).size).toBe(2);
    expect(client.session.getSync()).not.toBeNull();
    const key = (flow: string) => tab.storage.get(`stytch_sdk_state_${TOKEN}::pkce_${flow}`);
    expect([key('magic_links'), key('password_resets')]).toEqual([null, expect.any(String)]);
  });

  it('do not try again after another refusal', async () => {
    const { world, client } = await open(false, { pkce_required_for_password_resets: true });
    world.transport.answer(api.passwords.resetByEmailStart, () => ({}));
    await client.passwords.resetByEmailStart({ email: 'a@b.co' });
    await expect(client.magicLinks.authenticate('nonsense', D)).rejects.toMatchObject({
      error_type: 'unable_to_auth_magic_link',
    });
    expect(world.transport.requestsTo(api.magicLinks.authenticate)).toHaveLength(1);
  });
});

describe('risky calls', () => {
  const bodyOf = (world: TestWorld) => world.transport.requestsTo(api.users.search).map(({ body }) => body);

  it.each([
    ['no feature', {}, { email: 'a@b.co' }],
    ['captcha', { captcha_settings: { enabled: true, siteKey: 'k' } }, { email: 'a@b.co', captcha_token: 'captcha-1' }],
    [
      'DECISIONING',
      {
        captcha_settings: { enabled: true, siteKey: 'k' },
        dfp_protected_auth_enabled: true,
        dfp_protected_auth_mode: 'DECISIONING',
      },
      { email: 'a@b.co', dfp_telemetry_id: 'telemetry-1' },
    ],
    [
      'OBSERVATION',
      { captcha_settings: { enabled: true, siteKey: 'k' }, dfp_protected_auth_enabled: true },
      { email: 'a@b.co', captcha_token: 'captcha-1', dfp_telemetry_id: 'telemetry-1' },
    ],
  ])('with %s send what the mode says', async (_, project, body) => {
    const { world, client } = await open(false, project);
    await client.user.search('a@b.co');
    expect(bodyOf(world)).toEqual([body]);
  });

  it('are made once more with fresh signals when the server asks for a captcha', async () => {
    const { world, client } = await open(false, {
      captcha_settings: { enabled: true, siteKey: 'k' },
      dfp_protected_auth_enabled: true,
      dfp_protected_auth_mode: 'DECISIONING',
    });
    world.transport.answer(api.users.search, ({ captcha_token }) =>
      captcha_token ? { userType: 'new' } : rawReply(403, 'Captcha required'),
    );
    expect(await client.user.search('a@b.co')).toMatchObject({ userType: 'new' });
    expect(bodyOf(world)).toEqual([
      { email: 'a@b.co', dfp_telemetry_id: 'telemetry-1' },
      { email: 'a@b.co', captcha_token: 'captcha-1', dfp_telemetry_id: 'telemetry-2' },
    ]);
  });

  it('are made once more only', async () => {
    const { world, client } = await open();
    world.transport.answer(api.users.search, () => rawReply(403, 'Captcha required'));
    await expect(client.user.search('a@b.co')).rejects.toMatchObject({ message: 'Invalid response from our servers.' });
    expect(bodyOf(world)).toHaveLength(2);
  });

  it('go on without what cannot be had', async () => {
    const { world, client, tab } = await open(false, { captcha_settings: { enabled: true, siteKey: 'k' } });
    tab.captcha.down = true;
    await client.user.search('a@b.co');
    expect(bodyOf(world)).toEqual([{ email: 'a@b.co' }]);
  });
});

describe('rbac', () => {
  const policy = {
    roles: [{ role_id: 'reader', permissions: [{ resource_id: 'docs', actions: ['read'] }] }],
    resources: [{ resource_id: 'docs', actions: ['read', 'write'] }],
  };

  it('asks the roles of the user and the policy of the project', async () => {
    const { world, client, reply } = await open(true);
    world.server.project['rbac_policy'] = policy;
    const reader = { ...reply?.user, roles: ['reader'] };
    world.transport.answer(api.users.me, () => reader);
    await client.user.get();
    const fresh = world.open().client;
    expect(await fresh.rbac.isAuthorized('docs', 'read')).toBe(true);
    expect(fresh.rbac.isAuthorizedSync('docs', 'read')).toBe(true);
    expect(fresh.rbac.isAuthorizedSync('docs', 'write')).toBe(false);
    expect(await fresh.rbac.allPermissions()).toEqual({ docs: { read: true, write: false } });
  });

  it('assumes no permissions without a policy, and logs it once', async () => {
    const { client, tab } = await open(true);
    expect(await client.rbac.isAuthorized('docs', 'read')).toBe(false);
    expect(client.rbac.isAuthorizedSync('docs', 'read')).toBe(false);
    expect(tab.log.messages('error')).toHaveLength(1);
  });
});
