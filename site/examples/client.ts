import type { CookieOptions } from '../../src/application/session/cookie-options.ts';
import type { ClientOptions } from '../../src/composition/client.ts';
import type { MountOptions } from '../../src/composition/mount.tsx';
import type {
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountLoginOptions,
  MountPasskeyRegistrationOptions,
  MountResetPasswordOptions,
} from '../../src/composition/ui-client.ts';
import type { WidgetCallbacks } from '../../src/application/widget/widget-options.ts';
import type { EndpointOptions } from '../../src/domain/project/endpoints.ts';
import { WAYS } from '../../demo/parts/presets.ts';
import type { ExamplesOf } from './example.ts';

export const CLIENT: ExamplesOf<ClientOptions> = {
  cookieOptions: { client: 'names', see: 'Sign in: the cookies of the session have names of their own.' },
  apiUrl: { client: 'plain', see: 'All requests go to the provider of this page.' },
  allowHttp: { client: 'plain', see: 'No effect here: this page and its provider are on this machine, or have https.' },
  endpointOptions: { client: 'endpoints', see: 'All requests go to the provider of this page.' },
  adapters: { client: 'log', see: 'An adapter receives the client’s log messages, and shows them below the widget.' },
  telemetry: { client: 'quiet', see: 'The client sends no events: the browser lists no request to /events.' },
  asksProfile: { client: 'plain', see: 'No effect here: the project of this page asks its users for nothing.' },
};

const HOSTS = 'All four hosts are the provider of this page.';

export const ENDPOINTS: ExamplesOf<EndpointOptions> = {
  apiDomain: { client: 'endpoints', see: `${HOSTS} This one is for live tokens; the token of this page is for tests.` },
  testApiDomain: {
    client: 'endpoints',
    see: `${HOSTS} The token of this page is for tests, so its requests go to this one.`,
  },
  dfppaDomain: { client: 'endpoints', see: `${HOSTS} It is asked where a project requires device telemetry.` },
  dfpCdnDomain: { client: 'endpoints', see: `${HOSTS} Its script loads where a project requires device telemetry.` },
};

const NAMES = 'Sign in and look at the cookies below the widget:';

export const COOKIES: ExamplesOf<CookieOptions> = {
  opaqueTokenCookieName: { client: 'names', see: `${NAMES} the token is in app_session.` },
  jwtCookieName: { client: 'names', see: `${NAMES} the JWT is in app_session_jwt.` },
  istCookieName: {
    client: 'names',
    see: `${NAMES} they have names of their own; this one is for organizations alone.`,
  },
  path: { client: 'path', see: `${NAMES} they are sent to /embed alone.` },
  domain: { client: 'subdomains', see: `${NAMES} they are set for the host of this page by name.` },
  availableToSubdomains: { client: 'subdomains', see: `${NAMES} subdomains get them too.` },
};

export const MOUNT: ExamplesOf<MountOptions> = {
  elementId: { see: 'The widget stands in the element #widget of the page.' },
  styles: {
    choices: { styles: { container: { borderRadius: 24 }, colors: { primary: '#5b2a86' } } },
    see: 'Round corners and a colour of the host.',
  },
  callbacks: { see: 'Open the list of events and ask for a code: the page hears of it.' },
  strings: { choices: { strings: { 'start.title': 'Welcome to Acme' } }, see: 'The title is the text of the host.' },
  language: { choices: { language: 'de' }, see: 'All texts are German.' },
};

/** The options of one mount in addition to the common ones. */
type MountExamples<Options> = ExamplesOf<Omit<Options, keyof MountOptions>>;

export const LOGIN: MountExamples<MountLoginOptions> = {
  config: { choices: { config: WAYS.all }, see: 'Every way to sign in.' },
};

export const RESET: MountExamples<MountResetPasswordOptions> = {
  config: { widget: 'reset', see: 'The page for a new password, which also offers a login link.' },
  passwordResetToken: {
    widget: 'reset',
    see: 'The token of a mail, here a made-up one: the provider refuses it when you submit.',
  },
};

export const PASSKEYS: MountExamples<MountPasskeyRegistrationOptions> = {
  config: {
    widget: 'passkeys',
    choices: { config: { enableShadowDOM: true } },
    see: 'Sign in as Ada to manage her passkeys, inside a shadow root.',
  },
};

export const ACCOUNT: MountExamples<MountAccountOptions> = {
  config: {
    widget: 'account',
    choices: { config: { accountOptions: { sections: ['profile', 'emails'] } } },
    see: 'Sign in as Ada: two sections of her account page.',
  },
};

export const CONSENT: ExamplesOf<
  Pick<
    MountIdentityProviderOptions,
    'getIDPConsentManifest' | 'authTokenParams' | 'allowFraming' | 'reportsBeforeLeaving' | 'accountUrl'
  >
> = {
  getIDPConsentManifest: { widget: 'manifest', see: 'Sign in as Ada: the host writes what the app may do.' },
  authTokenParams: {
    widget: 'trusted',
    see: 'Sign in as Ada: the token is a made-up one, so the provider refuses it.',
  },
  accountUrl: { widget: 'consent', see: 'Sign in as Ada: the last line leads to the page where access is taken back.' },
  reportsBeforeLeaving: {
    widget: 'reporting',
    see: 'Open the list of events, sign in as Ada and decide: the decision is listed before the frame is left.',
  },
  allowFraming: { widget: 'consent', see: 'Sign in as Ada: consent is asked for in this frame, as the option allows.' },
};

export const CALLBACKS: ExamplesOf<WidgetCallbacks> = {
  onEvent: { see: 'Open the list of events and ask for a code.' },
  onError: {
    choices: { config: WAYS.password },
    see: 'Open the list of events and sign in with a wrong password: the refusal is listed.',
  },
};
