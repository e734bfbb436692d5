import { DEFAULT_BOOTSTRAP } from '../../src/domain/bootstrap.ts';
import { SDKAPIError, SDKAPIUnreachableError } from '../../src/domain/errors.ts';
import type { SentOtp } from '../../src/domain/otp.ts';
import type { Screen } from '../../src/domain/screens/screen.ts';
import { INITIAL_STATE, type WidgetState } from '../../src/domain/screens/widget-state.ts';
import type { StyleConfig } from '../../src/domain/theme.ts';
import type { LoginConfig } from '../../src/domain/widget-config.ts';
import type { StringOverrides } from '../../src/presentation/messages/catalogue.ts';

/** What somebody does to the widget once it is there, for the states that live inside a screen. */
export interface Act {
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
  readonly dir?: 'rtl';
  readonly acts?: readonly Act[];
}

/** The moment at which every fixture stands still. */
export const NOW = Date.UTC(2026, 0, 1, 12);
const EMAIL = 'ada@example.com';
const LONG_EMAIL = 'augusta.ada.king.countess.of.lovelace.1815@analytical-engines.department.example.com';

export const MAGIC_LINK: LoginConfig = { products: ['emailMagicLinks'] };
export const EMAIL_OTP: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };

export const otpSent = (change: Partial<SentOtp> = {}): SentOtp => ({
  type: 'email',
  methodId: 'email-test-1',
  destination: EMAIL,
  expiresAt: NOW + 299_000,
  ...change,
});

export const apiError = (error_type: string, error_message = 'The server says no.', status_code = 400): SDKAPIError =>
  new SDKAPIError({ status_code, error_type, error_message, error_url: 'https://docs.stytch.com/errors' });

const state = (screen: Screen, change: Partial<WidgetState> = {}): WidgetState => ({
  ...INITIAL_STATE,
  bootstrap: { ...DEFAULT_BOOTSTRAP, projectName: 'Acme', displayWatermark: true },
  screen,
  ...change,
});

const main = (change?: Partial<WidgetState>, email = ''): WidgetState => state({ name: 'Main', email }, change);
const otp = (change?: Partial<WidgetState>, sent?: Partial<SentOtp>): WidgetState =>
  state({ name: 'OTPAuthenticate', otp: otpSent(sent) }, change);

const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmHAAAAr0lEQVR42u3awRWAIAwDUAZwPg/uv4euINA2aQjveYV8DwKtY3iIjOu539mnZWgKTGTwckhm+FRERfA0CCJ8GAIZfhvBEH4ZwRR+CYFYPAyAfHPbc7F8QZbnbQ1g24Sm52c8CpwDYD2M/V7HAAMMMEAHULETpwMyz0IGIO8DEEDUjQwKKHkprcMbwFJiaR1eAsCOcGnRBd4TS+xnd2gkemQSXUqZPrFEp17mXwmG8QFOjhZI3bfKhwAAAABJRU5ErkJggg==';
const NASTY = '<img src=x onerror="__xss()"> \u202Egnp.exe\u202C javascript:alert(1) https://evil.example/ ';

/** What no server can cause: a screen that throws as it renders. `back` leads out of it. */
export const BROKEN: WidgetState = state(
  { name: 'EmailConfirmation', email: EMAIL },
  { bootstrap: { ...DEFAULT_BOOTSTRAP, emailDomains: null as never } },
);

/** Every screen in every state that looks different. The screenshots and the accessibility tests walk this list. */
export const FIXTURES: readonly Fixture[] = [
  { id: 'main-magic-link', config: MAGIC_LINK, state: main() },
  { id: 'main-otp', config: EMAIL_OTP, state: main() },
  {
    id: 'main-bare',
    config: MAGIC_LINK,
    state: main({ bootstrap: DEFAULT_BOOTSTRAP }),
    styles: { hideHeaderText: true },
  },
  { id: 'main-no-email', config: { products: ['passwords'] }, state: main() },
  { id: 'main-logo', config: MAGIC_LINK, state: main(), styles: { logo: { logoImageUrl: LOGO } } },
  { id: 'main-focus', config: EMAIL_OTP, state: main(), acts: [{ focus: 'input' }] },
  {
    id: 'main-invalid-magic-link',
    config: MAGIC_LINK,
    state: main(),
    acts: [{ type: ['input', 'ada@example'] }, { click: 'button' }],
  },
  {
    id: 'main-invalid-otp',
    config: EMAIL_OTP,
    state: main(),
    acts: [{ type: ['input', 'ada@example'] }, { click: 'button' }],
  },
  { id: 'main-pending', config: EMAIL_OTP, state: main({ pending: 'otp/requested' }, EMAIL) },
  {
    id: 'main-error-network',
    config: MAGIC_LINK,
    state: main({ error: new SDKAPIUnreachableError('network') }, EMAIL),
  },
  {
    id: 'main-error-linked',
    config: MAGIC_LINK,
    state: main(
      {
        error: apiError(
          'project_not_ready',
          'This project cannot send email yet. See https://docs.stytch.com/errors/project-not-ready for what to do.',
        ),
      },
      EMAIL,
    ),
  },
  { id: 'main-error-hostile', config: MAGIC_LINK, state: main({ error: apiError('odd', NASTY.repeat(8)) }, EMAIL) },
  { id: 'main-loading', config: EMAIL_OTP, state: main({ loading: true }) },
  { id: 'email-confirmation', config: MAGIC_LINK, state: state({ name: 'EmailConfirmation', email: EMAIL }) },
  { id: 'email-confirmation-long', config: MAGIC_LINK, state: state({ name: 'EmailConfirmation', email: LONG_EMAIL }) },
  { id: 'otp', config: EMAIL_OTP, state: otp() },
  { id: 'otp-long', config: EMAIL_OTP, state: otp({}, { destination: LONG_EMAIL }) },
  { id: 'otp-typing', config: EMAIL_OTP, state: otp(), acts: [{ focus: 'input' }, { type: ['input', '123'] }] },
  {
    id: 'otp-verifying',
    config: EMAIL_OTP,
    state: otp({ pending: 'otp/codeEntered' }),
    acts: [{ focus: 'input' }, { type: ['input', '123456'] }],
  },
  {
    id: 'otp-wrong',
    config: EMAIL_OTP,
    state: otp({ error: apiError('otp_code_not_found') }),
    acts: [{ focus: 'input' }],
  },
  { id: 'otp-locked', config: EMAIL_OTP, state: otp({ error: apiError('user_lock_limit_reached') }) },
  { id: 'otp-expired', config: EMAIL_OTP, state: otp({}, { expiresAt: NOW - 1 }) },
  {
    id: 'otp-resending',
    config: EMAIL_OTP,
    state: otp(),
    acts: [{ click: '[data-part="link-button"]' }],
  },
  {
    id: 'otp-resend-failed',
    config: EMAIL_OTP,
    state: otp({
      toasts: [
        { id: 1, kind: 'error', error: new SDKAPIUnreachableError('network'), text: null },
        { id: 2, kind: 'success', error: null, text: null },
      ],
    }),
  },
  { id: 'otp-confirmation', config: EMAIL_OTP, state: state({ name: 'OTPConfirmation' }) },
  { id: 'complete', config: MAGIC_LINK, state: state({ name: 'AuthenticateFlowComplete' }) },
  { id: 'failure', config: MAGIC_LINK, state: BROKEN },
  {
    id: 'themed-warm',
    config: EMAIL_OTP,
    state: main({}, EMAIL),
    styles: {
      colors: { primary: '#ffb000', secondary: '#8a6d3b' },
      container: { borderRadius: '20px', width: '360px' },
      buttons: { primary: { borderRadius: '999px' } },
      inputs: { borderRadius: '12px' },
      fontFamily: 'Georgia, "Times New Roman", serif',
    },
  },
  {
    id: 'themed-white-card',
    config: MAGIC_LINK,
    state: state({ name: 'EmailConfirmation', email: EMAIL }),
    styles: { container: { backgroundColor: 'white', borderColor: 'transparent' } },
  },
  {
    id: 'themed-night',
    config: EMAIL_OTP,
    state: otp(),
    styles: {
      container: { backgroundColor: 'rgb(24, 12, 48)', borderColor: '#5b3fa0' },
      colors: { primary: '#b79cff', secondary: '#b9aed6' },
      inputs: { backgroundColor: '#2a1850', borderColor: '#8f78d0' },
    },
  },
  {
    id: 'otp-rtl',
    config: EMAIL_OTP,
    state: otp({ error: apiError('otp_code_not_found') }),
    dir: 'rtl',
    strings: {
      'otp.title': 'أدخل رمز المرور',
      'otp.sent': 'تم إرسال رمز مكوّن من 6 أرقام إلى {destination}.',
      'otp.expiresIn': 'تنتهي صلاحية الرمز خلال {time}.',
      'otp.missing': 'لم يصلك؟',
      'otp.resend': 'إعادة الإرسال',
      'error.otp_code_not_found': 'رمز غير صحيح، حاول مرة أخرى.',
    },
  },
  { id: 'main-rtl', config: EMAIL_OTP, state: main({ pending: 'otp/requested' }, EMAIL), dir: 'rtl' },
];
