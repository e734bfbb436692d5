import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';
import type { Fields } from '../kit/harness.ts';
import { ClientSite, CLIENTS } from './client-site.ts';
import { driverOf, MINUTES } from './driver.ts';
import { listedIf } from '#tests/soak-tests.ts';

const PROFILE = 'trusted-auth-token-profile-test-vendor';
const APP = 'connected-app-test-planner';
const CALLBACK = 'https://planner.example/callback';
const VERIFIER = 'v'.repeat(64);
const PASSWORD = 'a rather long and winding road 47';

const PROJECT = {
  trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'vendor' }],
  clients: [
    {
      client_id: APP,
      client_type: 'public',
      name: 'Planner',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'full_access', 'offline_access'],
    },
  ],
  rbac_policy: {
    roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['write'] }] }],
    resources: [{ resource_id: 'documents', actions: ['read', 'write'] }],
  },
  role_assignments: CLIENTS.map((name) => ({ email: `roles.${name}@example.com`, roles: ['editor'] })),
};

let site: ClientSite;
beforeAll(async () => {
  site = await ClientSite.start(PROJECT, CLIENTS);
});
afterAll(() => site?.close());

// In every run widgets.test.ts signs in by a widget and asks its client.
describe.each(CLIENTS)('the client %s of this wire', (name) => {
  let context: BrowserContext;
  let page: Page;
  const address = (who: string): string => `${who}.${name}@example.com`;

  beforeEach(async () => {
    context = await site.newVisitor();
    page = await context.newPage();
    await open();
  });
  afterEach(() => context.close());

  async function open(): Promise<void> {
    await page.goto(site.urlOf(name));
  }

  const { outcome, call, refused, lastMessage, signIn, linkToken } = driverOf(
    () => page,
    () => site.provider,
  );

  it('signs in by a passcode in an email, and keeps, lengthens and ends the session', async () => {
    const email = address('otp');
    const reply = await signIn(email);
    expect(reply['user'].emails[0]).toMatchObject({ email, verified: true });
    const longer = await call('session.authenticate', { session_duration_minutes: 120 });
    expect(longer['session'].session_id).toBe(reply['session'].session_id);
    expect(Date.parse(longer['session'].expires_at)).toBeGreaterThan(Date.parse(reply['session'].expires_at));
    expect((await call('session.getTokens'))['session_token']).toBe(longer['session_token']);
    await call('session.revoke');
    expect(await call('session.getSync')).toBeNull();
    const { body } = await site.provider.call('GET', '/users/me', undefined, { session: longer['session_token'] });
    expect(body['error_type']).toBe('unauthorized_credentials');
  });

  it('reads the types of errors', async () => {
    expect(await refused('otps.email.loginOrCreate', 'nobody', { expiration_minutes: 5 })).toMatchObject({
      status_code: 400,
      error_type: 'invalid_email',
    });
    const { method_id } = await call('otps.email.loginOrCreate', address('wrong'), { expiration_minutes: 5 });
    const code = (await lastMessage(address('wrong'))).code === '000000' ? '111111' : '000000';
    expect(await refused('otps.authenticate', code, method_id, MINUTES)).toMatchObject({
      error_type: 'otp_code_not_found',
    });
  });

  it('signs in by a text message', async () => {
    const phone = name === 'v5' ? '+14155552671' : '+14155552672';
    const { method_id } = await call('otps.sms.loginOrCreate', phone, { expiration_minutes: 5 });
    const { code } = await lastMessage(phone);
    const reply = await call('otps.authenticate', code, method_id, MINUTES);
    expect(reply['user'].phone_numbers[0]).toMatchObject({ phone_number: phone, verified: true });
  });

  it('signs in by a link, in the browser that asked for it', async () => {
    const email = address('link');
    const url = site.urlOf(name);
    await call('magicLinks.email.loginOrCreate', email, { login_magic_link_url: url, signup_magic_link_url: url });
    await page.goto((await lastMessage(email)).link ?? '');
    const token = new URL(page.url()).searchParams.get('token');
    const reply = await call('magicLinks.authenticate', token, MINUTES);
    expect(reply['user'].emails[0]).toMatchObject({ email, verified: true });
    expect(await refused('magicLinks.authenticate', token, MINUTES)).toMatchObject({
      error_type: 'unable_to_auth_magic_link',
    });
  });

  it('keeps PKCE where the project requires it', async () => {
    const required = { pkce_required_for_email_magic_links: true, pkce_required_for_oauth: true };
    site.useProject(required);
    await open();
    const url = site.urlOf(name);
    const email = address('pkce');
    await call('magicLinks.email.loginOrCreate', email, { login_magic_link_url: url, signup_magic_link_url: url });
    const { link = '' } = await lastMessage(email);
    const stranger = await site.provider.post('/magic_links/authenticate', {
      token: await linkToken(email),
      ...MINUTES,
    });
    expect(stranger.body['error_type']).toBe('pkce_expected_code_verifier');
    await page.goto(link);
    const reply = await call('magicLinks.authenticate', new URL(link).searchParams.get('token'), MINUTES);
    expect(reply['user'].emails[0].email).toBe(email);
    void outcome('oauth.github.start', { login_redirect_url: url, signup_redirect_url: url }).catch(() => undefined);
    await page.locator('button[value="grace@example.com"]').click();
    await page.waitForURL(/stytch_token_type=oauth/u);
    const token = new URL(page.url()).searchParams.get('token');
    expect((await site.provider.post('/oauth/authenticate', { token, ...MINUTES })).body['error_type']).toBe(
      'pkce_expected_code_verifier',
    );
    expect((await call('oauth.authenticate', token, MINUTES))['provider_type']).toBe('github');
  });

  it('makes, checks, uses and resets a password', async () => {
    const email = address('password');
    expect(await call('passwords.strengthCheck', { email, password: 'password' })).toMatchObject({
      valid_password: false,
      strength_policy: 'zxcvbn',
    });
    expect((await call('passwords.strengthCheck', { email, password: PASSWORD }))['valid_password']).toBe(true);
    const made = await call('passwords.create', { email, password: PASSWORD, ...MINUTES });
    await call('session.revoke');
    const known = await call('passwords.authenticate', { email, password: PASSWORD, ...MINUTES });
    expect(known['user_id']).toBe(made['user_id']);
    await call('session.revoke');
    const wrong = await refused('passwords.authenticate', { email, password: `${PASSWORD}!`, ...MINUTES });
    expect(wrong['status_code']).toBeGreaterThanOrEqual(400);
    const url = site.urlOf(name);
    await call('passwords.resetByEmailStart', { email, login_redirect_url: url, reset_password_redirect_url: url });
    const password = `${PASSWORD} renewed`;
    await call('passwords.resetByEmail', { token: await linkToken(email), password, ...MINUTES });
    expect((await call('passwords.authenticate', { email, password, ...MINUTES }))['user_id']).toBe(made['user_id']);
  });

  it('reads and changes the user', async () => {
    await signIn(address('user'));
    const change = { name: { first_name: 'Ursula', last_name: 'K.' }, untrusted_metadata: { theme: 'dark' } };
    expect((await call('user.update', change))['emails']).toHaveLength(1);
    expect(await call('user.get')).toMatchObject({
      name: { first_name: 'Ursula', last_name: 'K.' },
      untrusted_metadata: { theme: 'dark' },
    });
    expect((await call('user.getSync'))['name'].first_name).toBe('Ursula');
  });

  it('uses an authenticator app, and a recovery code when it is lost', async () => {
    await signIn(address('totp'));
    const { secret, recovery_codes, qr_code } = await call('totps.create', { expiration_minutes: 5 });
    expect(qr_code).toMatch(/^data:image\/png;base64,/u);
    const totp_code = new TOTP({ secret }).generate();
    const reply = await call('totps.authenticate', { totp_code, ...MINUTES });
    expect(reply['user'].totps).toMatchObject([{ verified: true }]);
    expect((await call('totps.recoveryCodes'))['totps'][0].recovery_codes).toEqual(recovery_codes);
    const [recovery_code] = recovery_codes;
    const recovered = await call('totps.recover', { recovery_code, ...MINUTES });
    expect(recovered['session'].session_id).toBe(reply['session'].session_id);
  });

  it('signs in by a social account', async () => {
    const url = site.urlOf(name);
    // The call navigates away: what it resolves with does not come back.
    void outcome('oauth.google.start', { login_redirect_url: url, signup_redirect_url: url }).catch(() => undefined);
    await page.locator('button[value="grace@example.com"]').click();
    await page.waitForURL(/stytch_token_type=oauth/u);
    const reply = await call('oauth.authenticate', new URL(page.url()).searchParams.get('token'), MINUTES);
    expect(reply).toMatchObject({ provider_type: 'google', user: { name: { first_name: 'Grace' } } });
  });

  listedIf(name === 'v6', it)('attaches a social account to the user of its session, by an address', async () => {
    site.useProject({ pkce_required_for_oauth: true });
    await open();
    const { user_id } = await signIn(address('attach'));
    const url = site.urlOf(name);
    const options = { login_redirect_url: url, signup_redirect_url: url, ...(await call('oauth.attach', 'google')) };
    void outcome('oauth.google.start', options).catch(() => undefined);
    await page.getByLabel('Another email address').fill(address('attached'));
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(/stytch_token_type=oauth/u);
    const reply = await call('oauth.authenticate', new URL(page.url()).searchParams.get('token'), MINUTES);
    expect(reply).toMatchObject({ user_id, provider_type: 'google' });
  });

  it('registers a passkey, and signs in by it', async () => {
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    const { user_id } = await signIn(address('passkey'));
    const made = await call('webauthn.register', { domain: 'localhost', is_passkey: true, ...MINUTES });
    expect(made['user'].webauthn_registrations).toMatchObject([{ domain: 'localhost', verified: true }]);
    await call('session.revoke');
    const reply = await call('webauthn.authenticate', { domain: 'localhost', is_passkey: true, ...MINUTES });
    expect(reply['user_id']).toBe(user_id);
    const webauthn_registration_id = made['webauthn_registration_id'];
    const renamed = await call('webauthn.update', { webauthn_registration_id, name: 'My key' });
    expect(renamed['webauthn_registration'].name).toBe('My key');
  });

  it.each([
    ['ethereum', SoftwareWallet],
    ['solana', SolanaWallet],
  ] as const)('signs in by a wallet of the type %s', async (crypto_wallet_type, Wallet) => {
    const own = new Wallet();
    const names = { crypto_wallet_type, crypto_wallet_address: own.address };
    const { challenge } = await call('cryptoWallets.authenticateStart', names);
    const reply = await call('cryptoWallets.authenticate', { ...names, signature: own.sign(challenge), ...MINUTES });
    expect(reply['user'].crypto_wallets).toMatchObject([{ ...names, verified: true }]);
  });

  it('acts for a user by an impersonation token', async () => {
    const { user_id } = await signIn(address('impersonated'));
    await call('session.revoke');
    const { token } = await administer(site.provider.services, 'impersonate', { user: user_id });
    const reply = await call('impersonation.authenticate', { impersonation_token: token });
    expect(reply['user_id']).toBe(user_id);
    expect(reply['session'].authentication_factors).toMatchObject([{ type: 'impersonated' }]);
  });

  it('takes the token of a trusted issuer for a session', async () => {
    const email = address('attested');
    const { token } = await administer(site.provider.services, 'trusted-token', { profile: PROFILE, email });
    const reply = await call('session.attest', { profile_id: PROFILE, token, ...MINUTES });
    expect(reply['user'].emails[0].email).toBe(email);
    expect((await call('user.get'))['user_id']).toBe(reply['user_id']);
  });

  it('knows what the roles of the project file allow', async () => {
    expect((await signIn(address('roles')))['user'].roles).toEqual(['editor']);
    expect(await call('rbac.allPermissions')).toEqual({ documents: { read: false, write: true } });
    expect(await call('rbac.isAuthorized', 'documents', 'write')).toBe(true);
  });

  it('lets another app in, lists it, and makes a session of its access token', async () => {
    const { user_id } = await signIn(address('apps'));
    // Without offline_access the token would end with the session in which the app was authorized.
    const scopes = ['openid', 'full_access', 'offline_access'];
    const request = { client_id: APP, redirect_uri: CALLBACK, response_type: 'code', scopes };
    const asked = await call('idp.oauthAuthorizeStart', request);
    expect(asked).toMatchObject({ consent_required: true, client: { client_name: 'Planner' } });
    const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const { redirect_uri } = await call('idp.oauthAuthorizeSubmit', {
      ...request,
      state: 'a state',
      code_challenge,
      consent_granted: true,
    });
    const query = new URL(redirect_uri).searchParams;
    expect(query.get('state')).toBe('a state');
    const form = {
      grant_type: 'authorization_code',
      client_id: APP,
      redirect_uri: CALLBACK,
      code: query.get('code') ?? '',
      code_verifier: VERIFIER,
    };
    const reply = await fetch(`${site.apiUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await reply.json()) as Fields;
    const { connected_apps } = await call('user.getConnectedApps');
    expect(connected_apps).toMatchObject([
      { connected_app_id: APP, scopes_granted: 'openid full_access offline_access' },
    ]);
    await call('session.revoke');
    expect((await call('session.exchangeAccessToken', { access_token, ...MINUTES }))['user_id']).toBe(user_id);
    await call('user.revokedConnectedApp', APP);
    // The session was made of the app's token: it ended with the app's access.
    await signIn(address('apps'));
    expect((await call('user.getConnectedApps'))['connected_apps']).toEqual([]);
  });
});
