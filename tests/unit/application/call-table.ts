/** Every call of the client, with the request that it makes. */
import { api, type Endpoint } from '#application/api/index.ts';
import type { PorticoClient } from '#composition/client.ts';
import { TestWorld } from './world.ts';

export const D = { session_duration_minutes: 60 };

export const ADDRESS = { crypto_wallet_address: '0xabc', crypto_wallet_type: 'ethereum' };

const AUTHORIZE = { client_id: 'c', redirect_uri: 'https://a.example/', response_type: 'code', scopes: ['openid'] };

interface Row {
  readonly call: (client: PorticoClient) => Promise<unknown>;
  readonly to: Endpoint;
  readonly path?: string;
  readonly body: unknown;
  readonly signedIn?: boolean;
}

export const ROWS: readonly Row[] = [
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
  { call: (c) => c.otps.email.loginOrCreate('a@b.co'), to: api.otps.emailLoginOrCreate, body: { email: 'a@b.co' } },
  {
    call: (c) => c.mfa.sendCode({ phone_id: 'p', channel: 'sms', locale: 'de' }),
    to: api.mfa.sendCode,
    body: { phone_id: 'p', channel: 'sms', locale: 'de' },
  },
  {
    call: (c) => c.mfa.addPhone({ phone_number: '+15005550006', channel: 'sms' }),
    to: api.mfa.addPhone,
    body: { phone_number: '+15005550006', channel: 'sms' },
  },
  { call: (c) => c.mfa.startRecovery(), to: api.mfa.startRecovery, body: {} },
  { call: (c) => c.profile.get(), to: api.profile.get, body: null },
  {
    call: (c) =>
      c.profile.complete({ user_id: 'u', fields: { company: 'ACME' }, terms: { tos: '2' }, trust_device: true }),
    to: api.profile.complete,
    body: { user_id: 'u', fields: { company: 'ACME' }, terms: { tos: '2' }, trust_device: true },
  },
  {
    call: (c) => c.profile.update({ fields: { company: 'ACME' } }),
    to: api.profile.update,
    body: { fields: { company: 'ACME' } },
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

export async function open(signedIn = false, project: Readonly<Record<string, unknown>> = {}) {
  const world = new TestWorld();
  Object.assign(world.server.project, project);
  const opened = world.open();
  const reply = signedIn ? await world.signIn(opened.client) : null;
  return { ...opened, world, reply };
}
