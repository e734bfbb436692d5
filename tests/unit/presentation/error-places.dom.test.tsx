import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { OTP_METHODS } from '#domain/contacts/channels.ts';
import { SDKAPIUnreachableError, SDKSchemaError, type AuthError } from '#domain/errors.ts';
import { REFUSALS } from '#domain/rules/refusal.ts';
import type { Intent } from '#domain/screens/event.ts';
import { reduce } from '#domain/screens/reduce.ts';
import type { ScreenName } from '#domain/screens/screen.ts';
import { isAside, isSubmit, type PendingSubmit } from '#domain/screens/submits.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import { mainLayout } from '#domain/screens/main-layout.ts';
import { checkConfig, Products, type LoginConfig } from '#domain/widget/widget-config.ts';
import { errorTexts } from '#presentation/messages/en/errors.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { EVENTS } from '../domain/every-event.ts';
import { oneOf } from '../../soak.ts';
import { SPECIAL, texts } from './placed-errors.ts';
import { showState } from './show.tsx';

afterEach(cleanup);

/** Each type that has a text or that our server sends, an unknown one, and the errors without a type. */
const TYPES = new Set([
  ...Object.keys(errorTexts).map((key) => key.split('.')[1] ?? ''),
  ...Object.keys(REFUSALS),
  'brand_new',
]);
const ERRORS: readonly AuthError[] = [
  ...[...TYPES].map((type) => apiError(type)),
  new SDKAPIUnreachableError('network'),
  new SDKSchemaError([]),
];
const ofNumber = (error: AuthError): boolean => error.kind === 'api' && error.error_type.startsWith('invalid_phone');

/** The state after the request failed. */
const failed = (from: WidgetState, asked: Intent, error: AuthError): WidgetState =>
  reduce(reduce(from, asked), { type: 'failed', asked, error });

/** The requests of each screen that the person waits for. The account page and the second factor have requests of their own. */
const REQUESTS: Readonly<Record<ScreenName, readonly PendingSubmit[]>> = {
  Main: [
    'magicLink/requested',
    'otp/requested',
    'phone/requested',
    'password/emailEntered',
    'oauth/chosen',
    'passkey/chosen',
    'passkey/createRequested',
    'wallet/chosen',
  ],
  EmailConfirmation: [],
  OTPAuthenticate: ['otp/codeEntered', 'otp/resendRequested'],
  OTPConfirmation: [],
  PasswordCreateOrLogin: [
    'password/createRequested',
    'password/loginRequested',
    'password/forgotten',
    'password/passwordlessRequested',
    'password/insteadRequested',
    'otp/codeEntered',
    'otp/resendRequested',
    'otp/requested',
    'magicLink/requested',
    'passkey/createRequested',
  ],
  PasswordForgot: ['password/resendRequested', 'otp/requested', 'magicLink/requested'],
  PasswordDedupe: ['password/resendRequested'],
  PasswordBreached: ['password/resendRequested'],
  PasswordSetNew: ['password/resendRequested'],
  PasswordResetForm: ['password/resetSubmitted', 'resetLink/opened', 'password/forgotten'],
  PasswordConfirmation: [],
  CryptoConnect: [],
  CryptoSignMessage: [],
  CryptoOtherScreen: ['wallet/chosen'],
  CryptoSetupWallet: [],
  CryptoError: ['wallet/chosen'],
  CryptoConfirmation: [],
  PasskeyConfirmation: [],
  PasskeyOffer: ['passkey/createRequested'],
  PasskeyCreated: [],
  PasskeyRegistrationStart: ['passkey/createRequested'],
  PasskeyRegistrationSuccess: [],
  SecondFactor: [],
  IDPConsent: ['consent/allowed', 'consent/denied', 'consent/switched', 'logout/confirmed', 'device/codeEntered'],
  Account: [],
  AuthenticateFlowComplete: [],
};
/** Consent and logout show a failure as a state of their own; of the form alone an error is shown. */
const isOfFlow = ({ screen: { name }, consent }: WidgetState): boolean =>
  name === 'IDPConsent' && consent.status !== 'consentRequired';
/** A link that is used up: its page says so itself, in the title. */
const isTitle = ({ screen }: WidgetState, { type }: Intent, error: AuthError): boolean =>
  screen.name === 'PasswordResetForm' &&
  screen.tokenType === 'spent' &&
  type !== 'password/forgotten' &&
  error.kind === 'api' &&
  error.error_type === 'unable_to_auth_magic_link';

/** One fixture for each form of a screen that can send something: one that loads has no buttons. */
const FORMS = [
  ...new Map(
    FIXTURES.map((fixture) => {
      const { screen: at, consent } = fixture.state;
      const variant = 'message' in at ? at.message?.kind : 'tokenType' in at ? at.tokenType : consent.status;
      return [`${at.name} ${'userType' in at ? at.userType : ''} ${variant}`, fixture] as const;
    }),
  ),
].filter(
  ([form, { state }]) => REQUESTS[state.screen.name].length > 0 && !isOfFlow(state) && !form.endsWith(' loading'),
);

describe('A request that fails', () => {
  it('is one of a screen', () => {
    const listed = new Set(Object.values(REQUESTS).flat());
    expect(
      Object.keys(EVENTS).filter((type) => isSubmit(type as Intent['type']) && !listed.has(type as never)),
    ).toEqual([]);
  });

  it.each(FORMS)('has one visible text on %s', (_, fixture) => {
    const { model } = showState({ ...fixture.state, error: null, failed: null, pending: null, toasts: [] }, fixture);
    const from = model.getState();
    for (const [place, type] of REQUESTS[from.screen.name].entries()) {
      const asked: Intent = EVENTS[type];
      for (const error of [...SPECIAL, ...oneOf(16, ERRORS, place)]) {
        model.set(failed(from, asked, error));
        const shown = texts();
        const said = `${type} ${error.kind === 'api' ? error.error_type : error.kind}`;
        expect([said, shown.length]).toEqual([said, isTitle(from, asked, error) ? 0 : 1]);
        expect([said, shown[0]?.textContent === '']).toEqual([said, false]);
        if (isAside(type)) expect(shown[0]?.closest('[data-part=toast]')).not.toBeNull();
        model.set({ ...from, toasts: [] });
      }
    }
  });
});

function subsetsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((__, place) => (bits >> place) % 2 === 1));
}

/** Every set of products, and of the methods of passcodes, that can be combined. */
const CONFIGS: readonly LoginConfig[] = subsetsOf(Object.values(Products))
  .flatMap((products): readonly LoginConfig[] => {
    const more = { oauthOptions: { providers: [{ type: 'github' as const }] }, passkeyOptions: { signUp: true } };
    if (!products.includes('otp')) return [{ products, ...more }];
    return subsetsOf(OTP_METHODS)
      .filter((methods) => methods.length > 0)
      .map((methods) => ({ products, otpOptions: { methods }, ...more }));
  })
  .filter((config) => {
    try {
      checkConfig(config);
      return true;
    } catch {
      return false;
    }
  });

describe('A request of the first screen that fails', () => {
  it('has one visible text with every set of products, at the field of the number only if it is about a number that was sent', () => {
    for (const [at, config] of oneOf(11, [...CONFIGS.entries()])) {
      const { tabs } = mainLayout(config);
      for (const tab of tabs.length > 0 ? tabs : [null]) {
        const entered = { country: 'US', national: '(415) 555-2671' };
        const phone = tab === null || tab === 'email' ? undefined : { method: tab, ...entered };
        const first = {
          name: 'Main',
          email: tab === 'email' ? 'ada@example.com' : '',
          ...(phone && { phone }),
        } as const;
        const { model, unmount } = showState({ screen: first }, { config });
        const from = model.getState();
        for (const [place, type] of REQUESTS.Main.entries()) {
          if (type === 'wallet/chosen') continue;
          const error = SPECIAL[(at + place) % SPECIAL.length] as AuthError;
          for (const one of type === 'phone/requested' ? SPECIAL : [error]) {
            model.set(failed(from, EVENTS[type], one));
            const said = `${JSON.stringify(config)} ${tab} ${type} ${one.error_type}`;
            const isAtField = phone !== undefined && type === 'phone/requested' && ofNumber(one);
            const places = texts().map((text) =>
              text.closest('[data-part]:not([data-part=said])')?.getAttribute('data-part'),
            );
            expect([said, ...places]).toEqual([said, isAtField ? 'field-error' : 'banner']);
          }
        }
        unmount();
      }
    }
  });
});
