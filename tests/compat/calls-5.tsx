/** How apps of 5.x call and configure: it compiles, as it does with the reference's own types. It is never run. */
import { useEffect } from 'react';
import {
  IdentityProvider,
  StytchLogin,
  StytchPasskeyRegistration,
  StytchPasswordReset,
  StytchProvider,
  useStytch,
  useStytchIsAuthorized,
  useStytchSession,
  useStytchUser,
  withStytch,
  withStytchPermissions,
  withStytchSession,
  withStytchUser,
  parseOAuthAuthorizeParams,
  type StytchProps,
  type IdentityProviderProps,
  type StytchResetPasswordProps,
  createStytchUIClient,
  createStytchHeadlessClient,
  OAuthProviders,
  OneTapPositions,
  OTPMethods,
  Products,
  StytchEventType,
  StytchUIClient,
  type StytchLoginConfig,
  type Callbacks,
  type Session,
  type User,
  type StytchEvent,
  type OTPsAuthenticateResponse,
  type AuthenticateResponse,
  type WebAuthnRegistration,
  type StytchHeadlessClient,
} from 'portico/compat';

declare function note(...said: unknown[]): void;

export const stytch = createStytchUIClient('public-token-test-1', {
  cookieOptions: { opaqueTokenCookieName: 'a', jwtCookieName: 'b', path: '', availableToSubdomains: false },
  endpointOptions: { apiDomain: 'x.y' },
});
export const bare: StytchHeadlessClient = createStytchHeadlessClient('public-token-test-1');
const callbacks: Callbacks = {
  onEvent: (event: StytchEvent) => {
    switch (event.type) {
      case StytchEventType.PasskeyRegister:
        note(event.data.webauthn_registration_id, event.data.user.name.first_name);
        break;
      case StytchEventType.AuthenticateFlowComplete:
        break;
      default:
    }
  },
  onError: (e) => note(e.message),
};
const config: StytchLoginConfig = {
  products: [Products.crypto, Products.passkeys, Products.otp, 'oauth'],
  otpOptions: { methods: [OTPMethods.WhatsApp], expirationMinutes: 5 },
  oauthOptions: {
    providers: [
      {
        type: OAuthProviders.Google,
        one_tap: true,
        position: OneTapPositions.floating,
        cancel_on_tap_outside: false,
        provider_params: { hd: 'x' },
      },
    ],
  },
  enableShadowDOM: true,
};
export const props: StytchProps = { config, callbacks, strings: { 'login.title': 'x' } };
export const reset: StytchResetPasswordProps = { ...props, passwordResetToken: 't' };
export const idp: IdentityProviderProps = {
  callbacks,
  getIDPConsentManifest: ({ scopes, clientName }) => [
    { header: clientName, items: [...scopes.map((s) => ({ text: s.toUpperCase(), details: [s] })), 'plain'] },
  ],
  authTokenParams: { trustedAuthToken: 'a', tokenProfileID: 'b' },
};
const Inner = () => {
  const client = useStytch();
  const { user, isInitialized, fromCache } = useStytchUser();
  const { session } = useStytchSession();
  const { isAuthorized } = useStytchIsAuthorized('documents', 'write');
  const first: string = user?.name.first_name ?? '';
  useEffect(() => client.user.onChange((u) => note(u?.emails.map((e) => e.email))), [client]);
  useEffect(() => client.session.onChange((s: Session | null) => note(s?.custom_claims)), [client]);
  useEffect(() => client.onStateChange(({ user: u, session: s }) => note(u?.user_id, s?.session_id)), [client]);
  const go = async () => {
    const sent = await client.otps.sms.loginOrCreate('+1415', { expiration_minutes: 5 });
    const got: OTPsAuthenticateResponse = await client.otps.authenticate('123456', sent.method_id, {
      session_duration_minutes: 60,
    });
    const same: AuthenticateResponse = await client.passwords.create({
      email: 'a',
      password: 'b',
      session_duration_minutes: 60,
    });
    const { valid_password, feedback } = await client.passwords.strengthCheck({ email: 'a', password: 'b' });
    note(got.session_jwt.length, same.session_token.length, valid_password, feedback.suggestions.join());
    await client.oauth.google.start({ login_redirect_url: 'x', signup_redirect_url: 'y', custom_scopes: ['a'] });
    await client.oauth.googleOneTap.start({ login_redirect_url: 'x' });
    await client.webauthn.register({ domain: 'localhost', is_passkey: true, session_duration_minutes: 5 });
    const a = await client.webauthn.authenticate({
      domain: 'localhost',
      session_duration_minutes: 5,
      conditional_mediation: true,
      signal: new AbortController().signal,
    });
    note(a?.user.user_id);
    const { challenge } = await client.cryptoWallets.authenticateStart({
      crypto_wallet_address: 'a',
      crypto_wallet_type: 'ethereum',
      siwe_params: { statement: 'x' },
    });
    await client.cryptoWallets.authenticate({
      crypto_wallet_address: 'a',
      crypto_wallet_type: 'ethereum',
      signature: challenge,
      session_duration_minutes: 5,
    });
    const t = await client.totps.create({ expiration_minutes: 5 });
    t.recovery_codes.sort();
    await client.user.update({ name: { first_name: 'A' }, untrusted_metadata: { a: 1 } });
    await client.user.deleteEmail('e');
    await client.user.deleteOAuthRegistration('o');
    const p = await client.rbac.allPermissions<{ documents: 'read' | 'write' }>();
    note(p.documents.read);
    await client.session.revoke({ forceClear: true });
    client.session.updateSession({ session_token: 'a', session_jwt: 'b' });
    const tokens = client.session.getTokens();
    note(tokens?.session_jwt);
    const f = client.session.getSync()?.authentication_factors.find((x) => x.delivery_method === 'email');
    note(f);
    await client.magicLinks.email.loginOrCreate('a', {
      login_magic_link_url: 'x',
      login_expiration_minutes: 60,
      signup_magic_link_url: 'x',
      signup_expiration_minutes: 60,
    });
    await client.magicLinks.email.send('a', { login_magic_link_url: 'x' });
    const { error, result } = parseOAuthAuthorizeParams(new URLSearchParams(location.search));
    if (error === null)
      await client.idp.oauthAuthorizeStart({ ...result, response_type: result.response_type ?? 'code' });
  };
  const keys: WebAuthnRegistration[] = user?.webauthn_registrations ?? [];
  return (
    <button type="button" onClick={() => void go()}>
      {first}
      {String(isInitialized)}
      {String(fromCache)}
      {session?.roles.join()}
      {String(isAuthorized)}
      {keys.length}
    </button>
  );
};
const H1 = withStytch<{ a: number }>(({ stytch: s, a }) => (
  <button type="button" onClick={() => void s.session.revoke()}>
    {a}
  </button>
));
const H2 = withStytchUser<{ a: number }>(({ stytchUser, stytchUserIsFromCache, a }) => (
  <i>
    {stytchUser?.user_id}
    {String(stytchUserIsFromCache)}
    {a}
  </i>
));
const H3 = withStytchSession<{ a: number }>(({ stytchSession, a }) => (
  <i>
    {stytchSession?.session_id}
    {a}
  </i>
));
const H4 = withStytchPermissions<{ documents: 'read' }, { a: number }>(({ stytchPermissions, a }) => (
  <i>
    {String(stytchPermissions['documents']?.['read'])}
    {a}
  </i>
));
export const App = () => (
  <StytchProvider stytch={stytch}>
    <StytchLogin config={config} callbacks={callbacks} styles={{ logo: { logoImageUrl: 'x' }, hideHeaderText: true }} />
    <StytchPasswordReset config={config} passwordResetToken="x" />
    <StytchPasskeyRegistration config={{ products: [Products.passkeys] }} />
    <IdentityProvider {...idp} />
    <Inner />
    <H1 a={1} />
    <H2 a={1} />
    <H3 a={1} />
    <H4 a={1} />
  </StytchProvider>
);
export const v = new StytchUIClient('public-token-test-x');
v.mountLogin({ elementId: '#x', config, callbacks, styles: { fontFamily: 'Arial' } });
v.mountResetPassword({ elementId: '#x', config, passwordResetToken: 't' });
v.mountPasskeyRegistration({ elementId: '#x', config });
v.mountIdentityProvider({ elementId: '#x', getIDPConsentManifest: ({ scopes }) => scopes });
export const u: User | null = v.user.getSync();
