import type { EventOf, WidgetEvent } from './event.ts';
import { INITIAL_SCREEN, type Screen, type ScreenName, type ScreenOf } from './screen.ts';

type Row<Name extends ScreenName> = {
  readonly [Type in WidgetEvent['type']]?: (from: ScreenOf<Name>, event: EventOf<Type>) => Screen;
};

const toMain = (): Screen => INITIAL_SCREEN;
const toComplete = (): Screen => ({ name: 'AuthenticateFlowComplete' });
const toMainWith = ({ email }: { readonly email: string }): Screen => ({ name: 'Main', email });
const toEmailConfirmation = (_: Screen, { email }: { readonly email: string }): Screen => ({
  name: 'EmailConfirmation',
  email,
});
const toOtp = (_: Screen, { otp }: EventOf<'otp/sent'>): Screen => ({ name: 'OTPAuthenticate', otp });
/** Back to Main, with the entered address or number in its field. */
const backFromOtp = ({ otp }: ScreenOf<'OTPAuthenticate'>): Screen => {
  if (otp.type === 'email') return { name: 'Main', email: otp.destination };
  if (otp.phone === undefined) return INITIAL_SCREEN;
  const { country, national } = otp.phone;
  return { name: 'Main', email: '', phone: { method: otp.type, country, national } };
};
const toOtpConfirmation = (): Screen => ({ name: 'OTPConfirmation' });
const toPasswordConfirmation = (): Screen => ({ name: 'PasswordConfirmation' });
const toPasskeyConfirmation = (): Screen => ({ name: 'PasskeyConfirmation' });
const toConnect = (_: Screen, { wallet }: EventOf<'wallet/chosen'>): Screen => ({ name: 'CryptoConnect', wallet });
const toCryptoError = (from: ScreenOf<'CryptoConnect' | 'CryptoSignMessage'>, { asked }: EventOf<'failed'>): Screen =>
  asked.type === 'wallet/chosen' ? { name: 'CryptoError', wallet: from.wallet } : from;
const toFactor = (_: Screen, { flow, isConsent }: EventOf<'factor/required'>): Screen => ({
  name: 'SecondFactor',
  flow,
  isConsent,
});
const toSetup = (): Screen => ({ name: 'CryptoSetupWallet' });

const afterFactor = ({ isConsent }: ScreenOf<'SecondFactor'>): Screen =>
  isConsent ? { name: 'IDPConsent' } : toComplete();

const beforeFactor = ({ isConsent }: ScreenOf<'SecondFactor'>): Screen =>
  isConsent ? { name: 'IDPConsent' } : INITIAL_SCREEN;

const isStepUp = ({ flow }: ScreenOf<'SecondFactor'>): boolean => 'isStepUp' in flow && flow.isStepUp;

const toResetMail = (_: Screen, { to, email, reason }: EventOf<'password/resetMailed'>): Screen =>
  to === 'PasswordDedupe' ? { name: to, email, reason } : { name: to, email };

/** From every waiting screen, a login that ends elsewhere, or that lacks its second factor, leads on. */
const continued = { 'session/appeared': toComplete, 'factor/required': toFactor } as const;

/** A success screen shows only while its session exists. The offer of a passkey may replace it. */
const over = { 'session/gone': toMain, 'passkey/offered': (): Screen => ({ name: 'PasskeyOffer' }) } as const;

/** The row of the screens that confirm a reset mail: they offer a login without a password. */
const withoutPassword = {
  'magicLink/sent': toEmailConfirmation,
  'otp/sent': toOtp,
  ...continued,
  back: toMainWith,
} as const;

/**
 * The next screen for each screen and event (specification, section 4). An event that a row does not list does not change the screen, so a
 * late reply cannot move the person to another screen.
 */
const TABLE: { readonly [Name in ScreenName]: Row<Name> } = {
  Main: {
    'magicLink/sent': toEmailConfirmation,
    'otp/sent': toOtp,
    'password/userFound': (_, { email, userType }) =>
      userType === 'passwordless'
        ? { name: 'PasswordCreateOrLogin', email, userType, message: null }
        : { name: 'PasswordCreateOrLogin', email, userType },
    'wallet/chosen': toConnect,
    'wallet/othersOpened': () => ({ name: 'CryptoOtherScreen' }),
    'wallet/setupOpened': toSetup,
    'passkey/verified': toPasskeyConfirmation,
    ...continued,
  },
  EmailConfirmation: {
    'magicLink/tryAgain': toMainWith,
    ...continued,
    back: toMain,
  },
  OTPAuthenticate: {
    'otp/verified': toOtpConfirmation,
    'otp/resent': (from, { otp }) => ({ ...from, otp }),
    ...continued,
    back: backFromOtp,
  },
  OTPConfirmation: over,
  PasswordCreateOrLogin: {
    'magicLink/sent': toEmailConfirmation,
    'otp/sent': toOtp,
    'password/passwordlessSent': (from, { message }) =>
      from.userType === 'passwordless' ? { ...from, message } : from,
    'otp/resent': (from, { otp }) =>
      from.userType === 'passwordless' ? { ...from, message: { kind: 'code', otp } } : from,
    'otp/verified': toOtpConfirmation,
    'passkey/verified': toPasskeyConfirmation,
    'password/created': toPasswordConfirmation,
    'password/loggedIn': toPasswordConfirmation,
    'password/resetMailed': toResetMail,
    ...continued,
    back: toMainWith,
  },
  PasswordForgot: withoutPassword,
  PasswordDedupe: withoutPassword,
  PasswordBreached: withoutPassword,
  PasswordSetNew: withoutPassword,
  PasswordResetForm: {
    'password/reset': toPasswordConfirmation,
    'password/resetKnown': (from, { email }) => ({ ...from, email }),
    'password/resetSpent': (from) => ({ ...from, tokenType: 'spent' }),
    'password/resetMailed': toResetMail,
    'resetLink/verified': toComplete,
    'factor/required': toFactor,
    back: toMain,
  },
  PasswordConfirmation: over,
  CryptoConnect: {
    'wallet/connected': (_, { wallet, address, challenge }) => ({
      name: 'CryptoSignMessage',
      wallet,
      address,
      challenge,
      isSigned: false,
    }),
    failed: toCryptoError,
    ...continued,
    back: toMain,
  },
  CryptoSignMessage: {
    'wallet/signed': (from) => ({ ...from, isSigned: true }),
    'wallet/verified': () => ({ name: 'CryptoConfirmation' }),
    failed: toCryptoError,
    ...continued,
    back: toMain,
  },
  CryptoOtherScreen: {
    'wallet/chosen': toConnect,
    'wallet/setupOpened': toSetup,
    ...continued,
    back: toMain,
  },
  CryptoSetupWallet: {
    ...continued,
    back: toMain,
  },
  CryptoError: {
    'wallet/chosen': toConnect,
    ...continued,
    back: toMain,
  },
  CryptoConfirmation: over,
  PasskeyConfirmation: over,
  PasskeyOffer: {
    'session/gone': toMain,
    'passkey/registered': () => ({ name: 'PasskeyCreated' }),
    'passkey/skipped': toComplete,
    'passkey/offerEnded': toComplete,
  },
  PasskeyCreated: over,
  PasskeyRegistrationStart: {
    'passkey/creationKnown': (from, { creation }) => ({ ...from, creation }),
    'passkey/registered': () => ({ name: 'PasskeyRegistrationSuccess', created: true }),
    'passkey/skipped': () => ({ name: 'PasskeyRegistrationSuccess', created: false }),
  },
  PasskeyRegistrationSuccess: {
    'passkey/anotherRequested': () => ({ name: 'PasskeyRegistrationStart', creation: null }),
  },
  SecondFactor: {
    'factor/required': toFactor,
    'factor/changed': (from, { flow }) => ({ ...from, flow }),
    'factor/verified': afterFactor,
    'session/appeared': (from) => (isStepUp(from) ? from : afterFactor(from)),
    // A session whose proof is too old may end in the meantime: the login starts again.
    'session/gone': (from) => (isStepUp(from) ? beforeFactor(from) : from),
    back: beforeFactor,
  },
  // The flows of these screens have their own tables, in consent-flow.ts and account-flow.ts.
  IDPConsent: { 'factor/required': toFactor },
  Account: {},
  AuthenticateFlowComplete: over,
};

/** The screen after the event. */
export function nextScreen(screen: Screen, event: WidgetEvent): Screen {
  const row = TABLE[screen.name] as Readonly<Record<string, unknown>>;
  const move = Object.hasOwn(row, event.type) ? row[event.type] : undefined;
  return typeof move === 'function' ? (move as (from: Screen, event: WidgetEvent) => Screen)(screen, event) : screen;
}

/** The events that can lead to another screen, or change the screen's data, in the order of the table. */
export function eventsOf(screen: ScreenName): readonly WidgetEvent['type'][] {
  return Object.keys(TABLE[screen]) as WidgetEvent['type'][];
}

/** Every screen, in the order of the table. */
export function screenNames(): readonly ScreenName[] {
  return Object.keys(TABLE) as ScreenName[];
}
