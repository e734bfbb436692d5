/** How apps of 6.x call and configure: it compiles, as it does with the reference's own types. It is never run. */
import {
  StytchLogin,
  StytchProvider,
  createStytchClient,
  Products,
  OAuthProviders,
  useStytch,
  useStytchUser,
  StytchPasskeyRegistration,
  IdentityProvider,
  StytchPasswordReset,
  withStytchUser,
  type StytchClient,
  type PresentationConfig,
  type StytchProps,
  type Strings,
  StytchAPIError,
  StytchSDKUsageError,
  iconsBlack,
  shadcnTheme,
  createStytchClient as create,
  mountLogin,
  StytchUI,
  StytchIdentityProvider,
  StytchResetPassword,
} from 'portico/compat';

declare function note(...said: unknown[]): void;
const client: StytchClient = createStytchClient('public-token-test-1', { customBaseUrl: 'x', keepSessionAlive: true });
const presentation: PresentationConfig = {
  theme: { ...shadcnTheme, primary: '#fff', 'rounded-base': '8px' },
  options: { hideHeaderText: true, logo: { url: 'x', alt: 'y' }, buttonId: 'x' },
  icons: iconsBlack,
};
const strings: Strings = { 'login.title': 'x' };
const props: StytchProps = {
  config: { products: [Products.emailMagicLinks, Products.passkeyRegistration], passkeyOptions: { domain: 'x' } },
  presentation,
  strings,
};
const Named = withStytchUser(({ stytchUser }) => <i>{stytchUser?.name.first_name}</i>);
const Inner = () => {
  const s = useStytch();
  const { user, isInitialized } = useStytchUser<false>();
  const go = async () => {
    try {
      const r = await s.authenticateByUrl({ session_duration_minutes: 60 });
      if (r?.handled) note(r.tokenType, r.data);
      else note(r?.token);
    } catch (e) {
      if (e instanceof StytchAPIError) note(e.error_type, e.error_details);
      if (e instanceof StytchSDKUsageError) note(e.message);
    }
  };
  return (
    <button type="button" onClick={() => void go()}>
      {isInitialized ? user?.user_id : '...'}
    </button>
  );
};
export const App = () => (
  <StytchProvider stytch={client} assumeHydrated={false}>
    <StytchLogin {...props} callbacks={{ onEvent: ({ type, data }) => note(type, data) }} />
    <StytchPasskeyRegistration config={{ products: [Products.passkeyRegistration] }} />
    <StytchPasswordReset {...props} passwordResetToken="x" />
    <IdentityProvider presentation={presentation} strings={strings} />
    <Named />
    <Inner />
  </StytchProvider>
);
const c = create('public-token-test-1');
mountLogin({
  client: c,
  elementId: '#x',
  config: { products: [], oauthOptions: { providers: [{ type: OAuthProviders.Github }] } },
  presentation,
});
customElements.define('a-b', StytchUI);
customElements.define('a-c', StytchIdentityProvider);
customElements.define('a-d', StytchResetPassword);
const el = document.querySelector('a-b') as InstanceType<typeof StytchUI>;
el.render({ client: c, config: { products: [] }, presentation });
el.client = c;
el.strings = strings;
