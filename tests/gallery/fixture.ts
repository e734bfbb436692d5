import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { SDKAPIError } from '#domain/errors.ts';
import { REFUSAL_TEXTS } from '#domain/rules/refusal-texts.ts';
import type { Language } from '#domain/widget/language.ts';
import type { SentOtp } from '#domain/passcodes/otp.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';

/** What somebody does to the widget once it is there, for the states that live inside a screen. */
export interface FixtureAction {
  readonly click?: string;
  readonly type?: readonly [selector: string, text: string];
  readonly focus?: string;
}

/** One widget in one state. */
export interface Fixture {
  readonly id: string;
  readonly state: WidgetState;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig;
  readonly strings?: StringOverrides;
  readonly language?: Language;
  readonly dir?: 'rtl';
  readonly acts?: readonly FixtureAction[];
}

/** The moment at which every fixture stands still. */
export const NOW = Date.UTC(2026, 0, 1, 12);
export const EMAIL = 'ada@example.com';
export const LONG_EMAIL = 'augusta.ada.king.countess.of.lovelace.1815@analytical-engines.department.example.com';

export const MAGIC_LINK: LoginConfig = { products: ['emailMagicLinks'] };
export const EMAIL_OTP: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };

export const otpSent = (change: Partial<SentOtp> = {}): SentOtp => ({
  type: 'email',
  methodId: 'email-test-1',
  destination: EMAIL,
  expiresAt: NOW + 299_000,
  ...change,
});

/** The messages of our server for people. */
const TEXTS: Readonly<Record<string, string | undefined>> = { ...REFUSAL_TEXTS };

export const apiError = (
  error_type: string,
  error_message: string = TEXTS[error_type] ?? 'The server says no.',
  status_code = 400,
  error_details?: object,
): SDKAPIError =>
  new SDKAPIError({
    status_code,
    error_type,
    error_message,
    error_url: 'https://docs.stytch.com/errors',
    error_details,
  });

/** The usual project's state on a screen. */
export const state = (screen: Screen, change: Partial<WidgetState> = {}): WidgetState => ({
  ...INITIAL_STATE,
  bootstrap: { ...DEFAULT_BOOTSTRAP, projectName: 'Acme', displayWatermark: true },
  screen,
  ...change,
});

export const main = (change?: Partial<WidgetState>, email = ''): WidgetState => state({ name: 'Main', email }, change);
export const otp = (change?: Partial<WidgetState>, sent?: Partial<SentOtp>): WidgetState =>
  state({ name: 'OTPAuthenticate', otp: otpSent(sent) }, { failed: 'otp/codeEntered', ...change });

/** What no server can cause: a screen that throws as it renders. `back` leads out of it. */
export const BROKEN: WidgetState = state(
  { name: 'EmailConfirmation', email: EMAIL },
  { bootstrap: { ...DEFAULT_BOOTSTRAP, emailDomains: null as never } },
);
