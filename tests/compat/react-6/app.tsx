import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  createStytchClient,
  defaultDarkTheme,
  defaultTheme,
  OAuthProviders,
  OTPMethods,
  Products,
  StytchEventType,
  StytchLogin,
  StytchPasswordReset,
  StytchProvider,
  useStytch,
  useStytchSession,
  useStytchUser,
  withStytchPermissions,
  type Callbacks,
  type PresentationConfig,
  type StytchLoginConfig,
} from 'portico/compat';
import { API, PUBLIC_TOKEN } from '../address.ts';

const HOME = `${location.origin}${location.pathname}`;
const stytch = createStytchClient(PUBLIC_TOKEN, { customBaseUrl: API });

const config: StytchLoginConfig = {
  products: [Products.passwords, Products.oauth, Products.otp],
  passwordOptions: { loginRedirectURL: HOME, resetPasswordRedirectURL: HOME, resetPasswordExpirationMinutes: 30 },
  oauthOptions: { providers: [{ type: OAuthProviders.Google }], loginRedirectURL: HOME, signupRedirectURL: HOME },
  otpOptions: { methods: [OTPMethods.Email, OTPMethods.SMS], expirationMinutes: 10 },
  sessionOptions: { sessionDurationMinutes: 60 },
};

const presentation: PresentationConfig = {
  theme: [
    { ...defaultTheme, primary: '#4338ca', 'primary-foreground': '#ffffff', 'container-radius': '20px' },
    { ...defaultDarkTheme, primary: '#a5b4fc', 'primary-foreground': '#1e1b4b', 'container-radius': '20px' },
  ],
  options: { hideHeaderText: false, logo: { url: `${location.origin}/logo.svg`, alt: 'Orchard' } },
};

const strings = { 'login.title': 'Welcome to the orchard', 'button.forgotPassword': 'Lost it?' };

const Rights = withStytchPermissions<{ documents: 'read' | 'write' }, { name: string }>(
  ({ stytchPermissions, name }) => <p>{`${name}: ${stytchPermissions.documents?.write ? 'may write' : 'may read'}`}</p>,
);

function Account() {
  const client = useStytch();
  const { user } = useStytchUser();
  const { session } = useStytchSession();
  const until = session === null ? '' : new Date(session.expires_at).toISOString().slice(0, 10);
  return (
    <section>
      <p>{`Signed in as ${user?.emails[0]?.email ?? user?.phone_numbers[0]?.phone_number ?? 'nobody'} until ${until}`}</p>
      <Rights name="Documents" />
      <button type="button" onClick={() => void client.session.revoke()}>
        Sign out
      </button>
    </section>
  );
}

function App() {
  const { session, isInitialized } = useStytchSession();
  const [events, setEvents] = useState<readonly string[]>([]);
  const token = new URLSearchParams(location.search).get('token');
  const [resetToken] = useState(() => (location.search.includes('reset_password') ? token : null));
  const callbacks: Callbacks = {
    onEvent: (event) => {
      const said = event.type === StytchEventType.PasswordAuthenticate ? `hello ${event.data.user_id}` : event.type;
      setEvents((before) => [...new Set([...before, said])]);
    },
    onError: (error) => setEvents((before) => [...new Set([...before, `error: ${error.message}`])]),
  };
  const looks = { config, presentation, strings, callbacks };
  if (!isInitialized) return <p>Loading…</p>;
  return (
    <main>
      <h1>Orchard</h1>
      {session === null && resetToken === null && <StytchLogin {...looks} />}
      {session === null && resetToken !== null && <StytchPasswordReset {...looks} passwordResetToken={resetToken} />}
      {session !== null && <Account />}
      <ol aria-label="Events">
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
      </ol>
    </main>
  );
}

const home = await stytch.authenticateByUrl({ session_duration_minutes: 60 });
if (home?.handled) console.info(`signed in by ${home.tokenType}`);
createRoot(document.querySelector('#app')!).render(
  <StytchProvider stytch={stytch}>
    <App />
  </StytchProvider>,
);
