import { describe, expect, it } from 'vitest';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';
import type { Screen, ScreenName, ScreenOf } from '#domain/screens/screen.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { beginStep } from '#domain/sessions/second-factor.ts';
import { email, entered, EVENTS, failed, otp, proof, STEP, wallet } from './every-event.ts';

/** What is not listed leaves the screen as it is; `same` is the screen itself with something new in it. */
type NextScreens = { readonly [Type in WidgetEvent['type']]?: ScreenName | 'same' };
interface Row<Name extends ScreenName> {
  readonly as: readonly ScreenOf<Name>[];
  readonly leads: NextScreens;
}

const signedIn = { 'session/appeared': 'AuthenticateFlowComplete', 'factor/required': 'SecondFactor' } as const;
const sends = { 'magicLink/sent': 'EmailConfirmation', 'otp/sent': 'OTPAuthenticate' } as const;
const mailed: NextScreens = { ...sends, ...signedIn, back: 'Main' };
const chooses: NextScreens = { 'wallet/chosen': 'CryptoConnect', ...signedIn };
const form: NextScreens = {
  ...mailed,
  'otp/verified': 'OTPConfirmation',
  'password/created': 'PasswordConfirmation',
  'password/loggedIn': 'PasswordConfirmation',
  'password/resetMailed': 'PasswordForgot',
  'passkey/verified': 'PasskeyConfirmation',
};

const inStep: NextScreens = { 'factor/required': 'same', 'factor/changed': 'same', back: 'Main' };

const done: NextScreens = { 'session/gone': 'Main', 'passkey/offered': 'PasskeyOffer' };

/** The specification's section 4, each screen with what leads out of it: a new one does not compile without its row. */
const SCREENS: { readonly [Name in ScreenName]: Row<Name> | readonly Row<Name>[] } = {
  Main: {
    as: [
      { name: 'Main', email: '' },
      { name: 'Main', email, phone: { method: 'sms', ...entered } },
    ],
    leads: {
      ...sends,
      ...chooses,
      'password/userFound': 'PasswordCreateOrLogin',
      'wallet/othersOpened': 'CryptoOtherScreen',
      'wallet/setupOpened': 'CryptoSetupWallet',
      'passkey/verified': 'PasskeyConfirmation',
    },
  },
  EmailConfirmation: {
    as: [{ name: 'EmailConfirmation', email }],
    leads: { 'magicLink/tryAgain': 'Main', back: 'Main', ...signedIn },
  },
  OTPAuthenticate: {
    as: [{ name: 'OTPAuthenticate', otp }],
    leads: { 'otp/verified': 'OTPConfirmation', 'otp/resent': 'same', back: 'Main', ...signedIn },
  },
  OTPConfirmation: { as: [{ name: 'OTPConfirmation' }], leads: done },
  PasswordCreateOrLogin: [
    {
      as: [
        { name: 'PasswordCreateOrLogin', email, userType: 'new' },
        { name: 'PasswordCreateOrLogin', email, userType: 'password' },
      ],
      leads: form,
    },
    {
      as: [
        { name: 'PasswordCreateOrLogin', email, userType: 'passwordless', message: null },
        { name: 'PasswordCreateOrLogin', email, userType: 'passwordless', message: { kind: 'code', otp } },
      ],
      leads: { ...form, 'password/passwordlessSent': 'same', 'otp/resent': 'same' },
    },
  ],
  PasswordForgot: { as: [{ name: 'PasswordForgot', email }], leads: mailed },
  PasswordDedupe: { as: [{ name: 'PasswordDedupe', email, reason: 'breached' }], leads: mailed },
  PasswordBreached: { as: [{ name: 'PasswordBreached', email }], leads: mailed },
  PasswordSetNew: { as: [{ name: 'PasswordSetNew', email }], leads: mailed },
  PasswordResetForm: {
    as: [
      { name: 'PasswordResetForm', tokenType: 'login' },
      { name: 'PasswordResetForm', tokenType: 'reset' },
      { name: 'PasswordResetForm', tokenType: 'spent' },
    ],
    leads: {
      'password/resetMailed': 'PasswordForgot',
      'password/resetKnown': 'PasswordResetForm',
      'password/resetSpent': 'PasswordResetForm',
      'password/reset': 'PasswordConfirmation',
      'factor/required': 'SecondFactor',
      'resetLink/verified': 'AuthenticateFlowComplete',
      back: 'Main',
    },
  },
  PasswordConfirmation: { as: [{ name: 'PasswordConfirmation' }], leads: done },
  CryptoConnect: {
    as: [{ name: 'CryptoConnect', wallet }],
    leads: { 'wallet/connected': 'CryptoSignMessage', failed: 'CryptoError', back: 'Main', ...signedIn },
  },
  CryptoSignMessage: {
    as: [{ name: 'CryptoSignMessage', ...proof, isSigned: false }],
    leads: {
      'wallet/signed': 'same',
      'wallet/verified': 'CryptoConfirmation',
      failed: 'CryptoError',
      back: 'Main',
      ...signedIn,
    },
  },
  CryptoOtherScreen: {
    as: [{ name: 'CryptoOtherScreen' }],
    leads: { ...chooses, 'wallet/setupOpened': 'CryptoSetupWallet', back: 'Main' },
  },
  CryptoSetupWallet: { as: [{ name: 'CryptoSetupWallet' }], leads: { back: 'Main', ...signedIn } },
  CryptoError: { as: [{ name: 'CryptoError', wallet }], leads: { ...chooses, back: 'Main' } },
  CryptoConfirmation: { as: [{ name: 'CryptoConfirmation' }], leads: done },
  PasskeyConfirmation: { as: [{ name: 'PasskeyConfirmation' }], leads: done },
  PasskeyOffer: {
    as: [{ name: 'PasskeyOffer' }],
    leads: {
      'session/gone': 'Main',
      'passkey/registered': 'PasskeyCreated',
      'passkey/skipped': 'AuthenticateFlowComplete',
      'passkey/offerEnded': 'AuthenticateFlowComplete',
    },
  },
  PasskeyCreated: { as: [{ name: 'PasskeyCreated' }], leads: done },
  PasskeyRegistrationStart: {
    as: [{ name: 'PasskeyRegistrationStart', creation: null }],
    leads: {
      'passkey/creationKnown': 'same',
      'passkey/registered': 'PasskeyRegistrationSuccess',
      'passkey/skipped': 'PasskeyRegistrationSuccess',
    },
  },
  PasskeyRegistrationSuccess: {
    as: [{ name: 'PasskeyRegistrationSuccess', created: true }],
    leads: { 'passkey/anotherRequested': 'PasskeyRegistrationStart' },
  },
  SecondFactor: [
    {
      as: [{ name: 'SecondFactor', flow: beginStep(STEP), isConsent: false }],
      leads: {
        ...inStep,
        'factor/verified': 'AuthenticateFlowComplete',
        'session/appeared': 'AuthenticateFlowComplete',
      },
    },
    {
      as: [{ name: 'SecondFactor', flow: beginStep(STEP), isConsent: true }],
      leads: { ...inStep, 'factor/verified': 'IDPConsent', 'session/appeared': 'IDPConsent', back: 'IDPConsent' },
    },
  ],
  IDPConsent: { as: [{ name: 'IDPConsent' }], leads: { 'factor/required': 'SecondFactor' } },
  Account: { as: [{ name: 'Account' }], leads: {} },
  AuthenticateFlowComplete: { as: [{ name: 'AuthenticateFlowComplete' }], leads: done },
};

const rows: readonly { readonly as: readonly Screen[]; readonly leads: NextScreens }[] = Object.values(SCREENS).flat();
const events: readonly WidgetEvent[] = Object.values(EVENTS);
const after = (screen: Screen, event: WidgetEvent): Screen => reduce({ ...INITIAL_STATE, screen }, event).screen;

describe.each(rows.flatMap(({ as, leads }) => as.map((screen) => [screen.name, screen, leads] as const)))(
  'the screen %s (%j)',
  (name, screen, leads) => {
    it.each(Object.entries(leads))('moves by %s to %s', (type, to) => {
      const next = after(screen, EVENTS[type as WidgetEvent['type']]);
      expect(next.name).toBe(to === 'same' ? name : to);
      expect(next).not.toBe(screen);
    });

    it('is the very same after whatever else happens', () => {
      const others = events.filter(({ type }) => !Object.hasOwn(leads, type));
      expect(others.length).toBeGreaterThan(60);
      expect(others.filter((event) => after(screen, event) !== screen)).toEqual([]);
    });

    it('is the very same after whatever fails but a wallet', () => {
      const asked = events.filter(({ type }) => type !== 'wallet/chosen') as readonly Intent[];
      expect(asked.filter((intent) => after(screen, failed(intent)) !== screen)).toEqual([]);
    });
  },
);
