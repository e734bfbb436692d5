import {
  OAuthProviders,
  OTPMethods,
  Products,
  StytchAPIError,
  StytchEventType,
  StytchUIClient,
  type Callbacks,
  type Session,
  type StyleConfig,
  type StytchLoginConfig,
  type User,
} from 'portico/compat';
import { API, PUBLIC_TOKEN } from '../address.ts';

const HOME = `${location.origin}${location.pathname}`;
const MINUTES = { session_duration_minutes: 60 };

const stytch = new StytchUIClient(PUBLIC_TOKEN, {
  // As the reference's documentation shows them.
  cookieOptions: { jwtCookieName: 'shop_jwt', path: '', availableToSubdomains: false, domain: '' },
  endpointOptions: { testApiDomain: API },
});
const signedOut = document.querySelector<HTMLElement>('#signed-out')!;
const signedIn = document.querySelector<HTMLElement>('#signed-in')!;
const login = document.querySelector<HTMLElement>('#login')!;
const log = document.querySelector<HTMLOListElement>('#events')!;

const styles: StyleConfig = {
  container: { backgroundColor: '#FFF7ED', borderColor: '#C2410C', borderRadius: '16px', width: '420px' },
  colors: { primary: '#7C2D12', secondary: '#9A3412', success: '#166534', error: '#991B1B' },
  buttons: { primary: { backgroundColor: '#C2410C', textColor: '#FFFFFF', borderColor: '#C2410C' } },
  inputs: { borderRadius: '8px', placeholderColor: '#9A3412' },
  fontFamily: 'Georgia, serif',
};

const config: StytchLoginConfig = {
  products: [Products.oauth, Products.emailMagicLinks, Products.otp],
  emailMagicLinksOptions: { loginRedirectURL: HOME, signupRedirectURL: HOME, loginExpirationMinutes: 30 },
  oauthOptions: {
    providers: [{ type: OAuthProviders.Github }, { type: 'google', custom_scopes: ['openid'] }],
    loginRedirectURL: HOME,
    signupRedirectURL: HOME,
  },
  otpOptions: { methods: [OTPMethods.SMS], expirationMinutes: 5 },
  sessionOptions: { sessionDurationMinutes: 60 },
};

const note = (text: string): void => void (log.appendChild(document.createElement('li')).textContent = text);

const callbacks: Callbacks = {
  onEvent: (event) => {
    if (event.type === StytchEventType.MagicLinkLoginOrCreateEvent) note(`sent a link to ${event.data.email}`);
    else if (event.type === StytchEventType.OTPsAuthenticate) note(`code of ${event.data.method_id} verified`);
    else note(event.type);
  },
  onError: ({ message }) => note(`error: ${message}`),
};

function show(user: User | null, session: Session | null): void {
  signedIn.hidden = user === null;
  signedOut.hidden = user !== null;
  if (user !== null) login.remove();
  else {
    signedOut.append(login);
    stytch.mountLogin({ elementId: '#login', config, styles, callbacks, strings: { 'login.title': 'Come in' } });
  }
  document.querySelector('#who')!.textContent = user?.emails[0]?.email ?? user?.phone_numbers[0]?.phone_number ?? '';
  document.querySelector('#factors')!.textContent = `${session?.authentication_factors.length ?? 0} factor(s)`;
}

async function finish(token: string, type: string | null): Promise<void> {
  try {
    if (type === 'oauth') await stytch.oauth.authenticate(token, MINUTES);
    else await stytch.magicLinks.authenticate(token, MINUTES);
  } catch (error) {
    if (!(error instanceof StytchAPIError)) throw error;
    note(`${error.status_code} ${error.error_type}`);
  }
  history.replaceState(null, '', HOME);
}

document.querySelector('#sign-out')!.addEventListener('click', () => void stytch.session.revoke());
stytch.onStateChange(() => show(stytch.user.getSync(), stytch.session.getSync()));
const query = new URLSearchParams(location.search);
const token = query.get('token');
if (token !== null) await finish(token, query.get('stytch_token_type'));
show(stytch.user.getSync(), stytch.session.getSync());
