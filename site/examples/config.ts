import type {
  AccountOptions,
  EmailMagicLinksOptions,
  LoginConfig,
  OAuthOptions,
  OAuthProviderOptions,
  OTPOptions,
  PasskeyOptions,
  PasswordOptions,
  SessionOptions,
} from '../../src/domain/widget/widget-config.ts';
import { WAYS } from '../../demo/parts/presets.ts';
import type { Example, ExamplesOf } from './example.ts';

const of = (config: LoginConfig, see: string, more: Partial<Example> = {}): Example => ({
  choices: { config },
  see,
  ...more,
});

const links = (options: EmailMagicLinksOptions, see: string): Example =>
  of({ products: ['emailMagicLinks'], emailMagicLinksOptions: options }, see);
const codes = (options: Partial<OTPOptions>, see: string): Example =>
  of({ products: ['otp'], otpOptions: { methods: ['email'], ...options } }, see);
const passwords = (options: PasswordOptions, see: string): Example =>
  of({ products: ['passwords'], passwordOptions: options }, see);
const social = (provider: Partial<OAuthProviderOptions>, see: string): Example =>
  of({ products: ['oauth', 'emailMagicLinks'], oauthOptions: { providers: [{ type: 'google', ...provider }] } }, see);

const passkeys = (options: PasskeyOptions, see: string): Example =>
  of({ products: ['otp', 'passkeys'], otpOptions: { methods: ['email'] }, passkeyOptions: options }, see);

export const CONFIG: ExamplesOf<LoginConfig> = {
  products: of(WAYS.all, 'Five products, in the order of the array.'),
  emailMagicLinksOptions: links(
    { loginExpirationMinutes: 10, signupExpirationMinutes: 10 },
    'Request a link: the email says that it is valid for 10 minutes.',
  ),
  oauthOptions: of(WAYS.social, 'Three providers, and a link by email.'),
  otpOptions: codes({ methods: ['email', 'sms'] }, 'Codes by email and by text message, in two tabs.'),
  passwordOptions: passwords(
    { resetPasswordExpirationMinutes: 15 },
    'Request a new password: the link is valid for 15 minutes.',
  ),
  passkeyOptions: passkeys(
    { offerAfterLogin: true },
    'Sign in by a code: the widget offers to create a passkey where the device keeps them.',
  ),
  sessionOptions: of(
    { ...WAYS.passcode, sessionOptions: { sessionDurationMinutes: 5 } },
    'Sign in: the session ends after 5 minutes.',
  ),
  accountOptions: of(
    { accountOptions: { sections: ['profile', 'sessions'] } },
    'Sign in as Ada: two sections of her account page.',
    { widget: 'account' },
  ),
  stepUp: of(
    { ...WAYS.passcode, stepUp: { factors: [], reason: 'second-factor' } },
    'Sign in, then open the example again: the login asks for the second factor that the session lacks.',
  ),
  enableShadowDOM: of(
    { ...WAYS.passcode, enableShadowDOM: true },
    'The widget stands inside a shadow root, so that the page cannot style it.',
  ),
  defaultCountry: of(
    { products: ['otp'], otpOptions: { methods: ['sms'] }, defaultCountry: 'DE' },
    'The telephone number starts with the country code of Germany.',
  ),
  rememberLastMethod: of(
    { ...WAYS.social, rememberLastMethod: false },
    'Sign in and out again: no method is marked as the last one.',
  ),
  helpUrl: of({ ...WAYS.social, helpUrl: '/accessibility' }, 'Every screen ends with a link to the page.'),
};

export const LINKS: ExamplesOf<EmailMagicLinksOptions> = {
  loginRedirectURL: links(
    {},
    'The link of the mail opens /authenticate of this demo, which is what the option is set to.',
  ),
  loginExpirationMinutes: links(
    { loginExpirationMinutes: 10 },
    'Request a link as a known user: it is valid for 10 minutes.',
  ),
  signupRedirectURL: links(
    {},
    'The link of the mail opens /authenticate of this demo, which is what the option is set to.',
  ),
  signupExpirationMinutes: links(
    { signupExpirationMinutes: 10 },
    'Request a link with a new address: it is valid for 10 minutes.',
  ),
  loginTemplateId: links(
    { loginTemplateId: 'welcome-back' },
    'Request a link as a known user: the request names the template.',
  ),
  signupTemplateId: links(
    { signupTemplateId: 'welcome' },
    'Request a link with a new address: the request names the template.',
  ),
  createUserAsPending: links(
    { createUserAsPending: true },
    'Request a link with a new address: the user is pending until the link is used.',
  ),
  domainHint: links(
    { domainHint: 'mail.acme.example' },
    'Request a link with an address at gmail.com: the link to webmail searches for that sender.',
  ),
  locale: links({ locale: 'es' }, 'Request a link: the email is Spanish.'),
};

export const CODES: ExamplesOf<OTPOptions> = {
  methods: codes({ methods: ['sms', 'whatsapp', 'email'] }, 'Three tabs, in the order of the array.'),
  expirationMinutes: codes({ expirationMinutes: 2 }, 'Request a code: the screen says that it is valid for 2 minutes.'),
  loginTemplateId: codes(
    { loginTemplateId: 'code-again' },
    'Request a code as a known user: the request names the template.',
  ),
  signupTemplateId: codes(
    { signupTemplateId: 'code' },
    'Request a code with a new address: the request names the template.',
  ),
  locale: codes({ locale: 'es' }, 'Request a code: the email is Spanish.'),
};

export const SOCIAL: ExamplesOf<OAuthOptions> = {
  providers: of(
    { products: ['oauth'], oauthOptions: { providers: [{ type: 'github' }, { type: 'apple' }] } },
    'Two buttons, in the order of the array.',
  ),
  loginRedirectURL: social(
    {},
    'The provider leads back to /authenticate of this demo, which is what the option is set to.',
  ),
  signupRedirectURL: social(
    {},
    'The provider leads back to /authenticate of this demo, which is what the option is set to.',
  ),
  layout: of(
    { ...WAYS.social, oauthOptions: { ...WAYS.social.oauthOptions, layout: 'row' } },
    'Three icons beside each other.',
  ),
};

export const PROVIDER: ExamplesOf<OAuthProviderOptions> = {
  type: social({ type: 'github' }, 'The button is that of GitHub.'),
  custom_scopes: social(
    { custom_scopes: ['calendar.readonly'] },
    'Press the button: the provider is asked for the scope, too.',
  ),
  provider_params: social(
    { provider_params: { login_hint: 'ada@example.com' } },
    'Press the button: the provider gets the parameter.',
  ),
  one_tap: social(
    { one_tap: true },
    'One Tap needs a project with a client id of Google; this one has none, so the button stays.',
  ),
  position: social(
    { one_tap: true, position: 'floating' },
    'The prompt would show over the page; this project has no client id of Google, so the button stays.',
  ),
  cancel_on_tap_outside: social(
    { one_tap: true, cancel_on_tap_outside: false },
    'The prompt would stay after a tap beside it; this project has no client id of Google, so the button stays.',
  ),
};

export const PASSWORDS: ExamplesOf<PasswordOptions> = {
  loginRedirectURL: passwords({}, 'Choose the login link in place of a password: it opens /authenticate of this demo.'),
  loginExpirationMinutes: passwords(
    { loginExpirationMinutes: 10 },
    'Choose the login link in place of a password: it is valid for 10 minutes.',
  ),
  resetPasswordRedirectURL: passwords({}, 'Request a new password: the link opens /reset of this demo.'),
  resetPasswordExpirationMinutes: passwords(
    { resetPasswordExpirationMinutes: 15 },
    'Request a new password: the link is valid for 15 minutes.',
  ),
  resetPasswordTemplateId: passwords(
    { resetPasswordTemplateId: 'reset' },
    'Request a new password: the request names the template.',
  ),
  locale: passwords({ locale: 'es' }, 'Request a new password: the email is Spanish.'),
  suggestPassphrase: passwords({ suggestPassphrase: false }, 'Sign up with a new address: no passphrase is suggested.'),
};

export const PASSKEY: ExamplesOf<PasskeyOptions> = {
  link: passkeys({ link: false }, 'No link to passkeys stands under the field.'),
  offerAfterLogin: passkeys(
    { offerAfterLogin: true },
    'Sign in by a code: the widget offers to create a passkey where the device keeps them.',
  ),
  upgradeAfterLogin: of(
    { products: ['passwords', 'passkeys'], passkeyOptions: { upgradeAfterLogin: true } },
    'Sign in with a password that the browser has saved: its password manager says that it added a passkey.',
  ),
  signUp: of(
    { products: ['passwords', 'passkeys'], passkeyOptions: { signUp: true } },
    'Enter a new address: the form for a password has the button ‘Create account with passkey’.',
  ),
  extensions: passkeys(
    { extensions: { prf: { eval: { first: 'bm90ZXMgb2YgdGhpcyBwYWdl' } } } },
    'Sign in with a passkey: the event has the secret that it derives, if it can.',
  ),
};

export const SESSION: ExamplesOf<SessionOptions> = {
  sessionDurationMinutes: of(
    { ...WAYS.passcode, sessionOptions: { sessionDurationMinutes: 5 } },
    'Sign in: the session ends after 5 minutes.',
  ),
};

export const ACCOUNT_PAGE: ExamplesOf<AccountOptions> = {
  sections: of(
    { accountOptions: { sections: ['emails', 'passkeys'] } },
    'Sign in as Ada: two sections of her account page, in the order of the array.',
    { widget: 'account' },
  ),
  signIn: of({}, 'A visitor who is not signed in gets a way to the login.', { widget: 'visitor' }),
};
