import { api } from '#application/api/index.ts';
import { type PublicCall, rest, object } from './public-call.ts';
import { SENDS } from './sending-calls.ts';

const D = { session_duration_minutes: 60 } as const;

const MINUTES = { session_duration_minutes: 'number' } as const;

const AUTHORIZE = { client_id: 'c', redirect_uri: 'https://a.example/', response_type: 'code', scopes: ['openid'] };

const AUTHORIZE_KINDS = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  scopes: 'string[]',
} as const;

const WALLET = { crypto_wallet_address: '0xabc', crypto_wallet_type: 'ethereum' } as const;

const WALLET_KINDS = { crypto_wallet_address: 'string', crypto_wallet_type: 'string' } as const;

const { registerStart, register, signUpStart, signUp } = api.webauthn;
const PASSKEY_CREATION = [registerStart, register, signUpStart, signUp];

const deletions = [
  ['deleteEmail', api.users.deleteEmail],
  ['deletePhoneNumber', api.users.deletePhoneNumber],
  ['deleteTOTP', api.users.deleteTOTP],
  ['deleteCryptoWallet', api.users.deleteCryptoWallet],
  ['deleteOAuthRegistration', api.users.deleteOAuthRegistration],
  ['deleteWebauthnRegistration', api.users.deleteWebauthnRegistration],
  ['deleteBiometricRegistration', api.users.deleteBiometricRegistration],
] as const;

const MFA_READS = [
  'status',
  'startRecovery',
  'recovery',
  'recoveryCodes',
  'renewRecoveryCodes',
  'stopRecovery',
  'trustedDevices',
] as const;
const ENTRY = { fields: { company: 'ACME' }, terms: { tos: '1' } };

/** Every public method that goes to the server. */
export const CALLS: readonly PublicCall[] = [
  object('user.get', [api.users.me], {}, {}, (c) => c.user.get()),
  object('user.update', [api.users.update], { untrusted_metadata: { a: 1 } }, {}, (c, given) => c.user.update(given)),
  ...deletions.map(([name, to]) =>
    object(`user.${name}`, [to], { id: 'id-1' }, {}, (c, given: { id: never }) => c.user[name](given.id)),
  ),
  object('user.deleteAccount', [api.users.delete], {}, {}, (c) => c.user.deleteAccount()),
  object('user.exportData', [api.users.export], {}, {}, (c) => c.user.exportData()),
  object('user.getConnectedApps', [api.users.connectedApps], {}, {}, (c) => c.user.getConnectedApps()),
  object('user.revokedConnectedApp', [api.users.revokeConnectedApp], { id: 'a' }, {}, (c, given: { id: never }) =>
    c.user.revokedConnectedApp(given.id),
  ),
  object('user.search', [api.users.search], { email: 'a@b.co' }, { email: 'string' }, (c, given: { email: never }) =>
    c.user.search(given.email),
  ),
  object('session.authenticate', [api.sessions.authenticate], D, {}, (c, given) => c.session.authenticate(given)),
  object('session.revoke', [api.sessions.revoke], {}, {}, (c, given) => c.session.revoke(given)),
  object('session.list', [api.ownSessions.list], {}, {}, (c) => c.session.list()),
  object('session.list', [api.ownSessions.listAfter], { cursor: 'c' }, {}, (c, given) => c.session.list(given)),
  object('session.revokeOther', [api.ownSessions.revokeOther], { id: 's' }, {}, (c, given: { id: never }) =>
    c.session.revokeOther(given.id),
  ),
  object('session.revokeOthers', [api.ownSessions.revokeOthers], {}, {}, (c) => c.session.revokeOthers()),
  object(
    'session.exchangeAccessToken',
    [api.sessions.exchangeAccessToken],
    { access_token: 'a', ...D },
    { access_token: 'string', ...MINUTES },
    (c, given) => c.session.exchangeAccessToken(given),
  ),
  object(
    'session.attest',
    [api.sessions.attest],
    { profile_id: 'p', token: 't' },
    { profile_id: 'string', token: 'string' },
    (c, given) => c.session.attest(given),
  ),
  object(
    'magicLinks.email.loginOrCreate',
    [api.magicLinks.loginOrCreate],
    { email: 'a@b.co' },
    { email: 'string' },
    (c, given: { email: never }) => c.magicLinks.email.loginOrCreate(given.email),
  ),
  object(
    'magicLinks.email.send',
    [api.magicLinks.sendPrimary, api.magicLinks.sendSecondary],
    { email: 'a@b.co' },
    { email: 'string' },
    (c, given: { email: never }) => c.magicLinks.email.send(given.email),
  ),
  object(
    'magicLinks.authenticate',
    [api.magicLinks.authenticate],
    { token: 't', ...D },
    { token: 'string', ...MINUTES },
    (c, given: { token: never }) => c.magicLinks.authenticate(given.token, rest(given, 'token')),
  ),
  ...SENDS,
  object(
    'otps.authenticate',
    [api.otps.authenticate],
    { code: '123456', method_id: 'm', ...D },
    { code: 'string', method_id: 'string', ...MINUTES },
    (c, given: { code: never; method_id: never }) =>
      c.otps.authenticate(given.code, given.method_id, rest(given, 'code', 'method_id')),
  ),
  object(
    'oauth.authenticate',
    [api.oauth.authenticate],
    { token: 't', ...D },
    { token: 'string', ...MINUTES },
    (c, given: { token: never }) => c.oauth.authenticate(given.token, rest(given, 'token')),
  ),
  object(
    'oauth.attach',
    [api.oauth.attach],
    { provider: 'google' },
    { provider: 'string' },
    (c, given: { provider: never }) => c.oauth.attach(given.provider),
  ),
  object('oauth.googleOneTap.start', [api.oauth.oneTapStart], {}, {}, (c, given) => c.oauth.googleOneTap.start(given)),
  ...(['create', 'authenticate'] as const).map((name) =>
    object(
      `passwords.${name}`,
      [api.passwords[name]],
      { email: 'a@b.co', password: 'p', ...D },
      { email: 'string', password: 'string', ...MINUTES },
      (c, given) => c.passwords[name](given),
    ),
  ),
  object(
    'passwords.resetByEmailStart',
    [api.passwords.resetByEmailStart],
    { email: 'a@b.co' },
    { email: 'string' },
    (c, given) => c.passwords.resetByEmailStart(given),
  ),
  object(
    'passwords.resetByEmail',
    [api.passwords.resetByEmail],
    { token: 't', password: 'p', ...D },
    { token: 'string', password: 'string', ...MINUTES },
    (c, given) => c.passwords.resetByEmail(given),
  ),
  object(
    'passwords.resetByExistingPassword',
    [api.passwords.resetByExistingPassword],
    { email: 'a@b.co', existing_password: 'o', new_password: 'n', ...D },
    { email: 'string', existing_password: 'string', new_password: 'string', ...MINUTES },
    (c, given) => c.passwords.resetByExistingPassword(given),
  ),
  object(
    'passwords.resetBySession',
    [api.passwords.resetBySession],
    { password: 'p' },
    { password: 'string' },
    (c, given) => c.passwords.resetBySession(given),
  ),
  object(
    'passwords.strengthCheck',
    [api.passwords.strengthCheck],
    { password: 'p' },
    { password: 'string' },
    (c, given) => c.passwords.strengthCheck(given),
  ),
  object('totps.create', [api.totps.create], { expiration_minutes: 5 }, { expiration_minutes: 'number' }, (c, given) =>
    c.totps.create(given),
  ),
  object(
    'totps.authenticate',
    [api.totps.authenticate],
    { totp_code: '1', ...D },
    { totp_code: 'string', ...MINUTES },
    (c, given) => c.totps.authenticate(given),
  ),
  object('totps.recoveryCodes', [api.totps.recoveryCodes], {}, {}, (c) => c.totps.recoveryCodes()),
  object(
    'totps.recover',
    [api.totps.recover],
    { recovery_code: 'r', ...D },
    { recovery_code: 'string', ...MINUTES },
    (c, given) => c.totps.recover(given),
  ),
  ...MFA_READS.map((name) => object(`mfa.${name}`, [api.mfa[name]], {}, {}, (c) => c.mfa[name]())),
  object(
    'mfa.sendCode',
    [api.mfa.sendCode],
    { phone_id: 'p', channel: 'sms' },
    { phone_id: 'string', channel: 'string' },
    (c, given) => c.mfa.sendCode(given),
  ),
  object(
    'mfa.addPhone',
    [api.mfa.addPhone],
    { phone_number: '+15005550006', channel: 'sms' },
    { phone_number: 'string', channel: 'string' },
    (c, given) => c.mfa.addPhone(given),
  ),
  object(
    'mfa.removeTrustedDevice',
    [api.mfa.removeTrustedDevice],
    { device_id: 'd' },
    { device_id: 'string' },
    (c, given: { device_id: never }) => c.mfa.removeTrustedDevice(given.device_id),
  ),
  object('profile.get', [api.profile.get], {}, {}, (c) => c.profile.get()),
  object('profile.complete', [api.profile.complete], { user_id: 'u', ...ENTRY }, { user_id: 'string' }, (c, given) =>
    c.profile.complete(given),
  ),
  object('profile.update', [api.profile.update], ENTRY, {}, (c, given) => c.profile.update(given)),
  object('webauthn.register', PASSKEY_CREATION, {}, {}, (c, given) => c.webauthn.register(given)),
  object(
    'webauthn.authenticate',
    [api.webauthn.authenticateStartPrimary, api.webauthn.authenticateStartSecondary, api.webauthn.authenticate],
    D,
    MINUTES,
    (c, given) => c.webauthn.authenticate(given),
  ),
  object(
    'webauthn.update',
    [api.webauthn.update],
    { webauthn_registration_id: 'r', name: 'n' },
    { webauthn_registration_id: 'string', name: 'string' },
    (c, given) => c.webauthn.update(given),
  ),
  object(
    'cryptoWallets.authenticateStart',
    [api.cryptoWallets.authenticateStartPrimary, api.cryptoWallets.authenticateStartSecondary],
    WALLET,
    WALLET_KINDS,
    (c, given) => c.cryptoWallets.authenticateStart(given),
  ),
  object(
    'cryptoWallets.authenticate',
    [api.cryptoWallets.authenticate],
    { ...WALLET, signature: 's', ...D },
    { signature: 'string', ...WALLET_KINDS, ...MINUTES },
    (c, given) => c.cryptoWallets.authenticate(given),
  ),
  object(
    'impersonation.authenticate',
    [api.impersonation.authenticate],
    { impersonation_token: 'i' },
    { impersonation_token: 'string' },
    (c, given) => c.impersonation.authenticate(given),
  ),
  object(
    'b2b.searchMember',
    [api.b2b.searchMember],
    { email_address: 'a@b.co', organization_id: 'o' },
    { email_address: 'string', organization_id: 'string' },
    (c, given) => c.b2b.searchMember(given),
  ),
  object('idp.oauthAuthorizeStart', [api.idp.authorizeStart], AUTHORIZE, AUTHORIZE_KINDS, (c, given) =>
    c.idp.oauthAuthorizeStart(given),
  ),
  object(
    'idp.oauthAuthorizeSubmit',
    [api.idp.authorizeSubmit],
    { ...AUTHORIZE, consent_granted: true },
    AUTHORIZE_KINDS,
    (c, given) => c.idp.oauthAuthorizeSubmit(given),
  ),
  object(
    'idp.oauthLogoutStart',
    [api.idp.logoutStart],
    { client_id: 'c', post_logout_redirect_uri: 'https://a.example/' },
    {},
    (c, given) => c.idp.oauthLogoutStart(given),
  ),
  object(
    'rbac.isAuthorized',
    [api.projects.bootstrap],
    { resource: 'r', action: 'a' },
    { resource: 'string', action: 'string' },
    (c, given: { resource: never; action: never }) => c.rbac.isAuthorized(given.resource, given.action),
  ),
];
