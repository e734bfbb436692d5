import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { doingOf } from '../../../src/domain/account/account-changes.ts';
import {
  OF_REMOVABLE,
  type AccountChange,
  type AccountPage,
  type AccountTask,
  type RemovalTarget,
} from '../../../src/domain/account/account.ts';
import { OTP_METHODS } from '../../../src/domain/contacts/channels.ts';
import { SDKAPIUnreachableError, SDKSchemaError, type AuthError } from '../../../src/domain/errors.ts';
import { REFUSALS } from '../../../src/domain/rules/refusal.ts';
import type { Intent } from '../../../src/domain/screens/event.ts';
import { reduce } from '../../../src/domain/screens/reduce.ts';
import type { ScreenName } from '../../../src/domain/screens/screen.ts';
import { isAside, isSubmit, type PendingSubmit } from '../../../src/domain/screens/submits.ts';
import type { WidgetState } from '../../../src/domain/screens/widget-state.ts';
import { beginStep, type FactorFormState, type FactorRequest } from '../../../src/domain/sessions/second-factor.ts';
import { mainLayout } from '../../../src/domain/screens/main-layout.ts';
import { checkConfig, Products, type LoginConfig } from '../../../src/domain/widget/widget-config.ts';
import { errorTexts } from '../../../src/presentation/messages/en/errors.ts';
import { loadPart } from '../../../src/presentation/parts/load-part.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { EVENTS, otp, STEP } from '../domain/every-event.ts';
import { oneOf } from '../../soak.ts';
import { showState } from './show.tsx';

beforeAll(async () => {
  await Promise.all([loadPart('account'), loadPart('factors')]);
});
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
/** Types that some form shows at its field, and one that none does. */
const SPECIAL = [
  'invalid_phone_number',
  'invalid_phone_number_country_code',
  'unable_to_auth_magic_link',
  'unauthorized_credentials',
  'otp_code_not_found',
  'brand_new',
].map((type) => apiError(type));
const ofNumber = (error: AuthError): boolean => error.kind === 'api' && error.error_type.startsWith('invalid_phone');

const texts = (): readonly Element[] =>
  [...document.querySelectorAll('[data-part=said]')].filter((text) => text.closest('[hidden]') === null);

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

/** One fixture for each form of a screen. */
const FORMS = [
  ...new Map(
    FIXTURES.map((fixture) => {
      const { screen: at, consent } = fixture.state;
      const variant = 'message' in at ? at.message?.kind : 'tokenType' in at ? at.tokenType : consent.status;
      return [`${at.name} ${'userType' in at ? at.userType : ''} ${variant}`, fixture] as const;
    }),
  ),
].filter(([, { state }]) => REQUESTS[state.screen.name].length > 0 && !isOfFlow(state));

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

type FormKind = FactorFormState['task']['kind'];
const TOTP = { secret: 'JBSWY3DP', uri: 'otpauth://totp/x?secret=JBSWY3DP', recoveryCodes: [] };
const SMS = { ...otp, type: 'sms', destination: '+1 42' } as const;
/** Each form of the second factor with its requests. */
const FACTOR_FORMS: { readonly [Kind in FormKind]: readonly FactorRequest['kind'][] } = {
  choice: ['send'],
  totp: ['totp'],
  recovery_code: ['recovery_code'],
  webauthn: ['webauthn'],
  recovery: ['startRecovery'],
  text: ['text', 'send', 'addPhone'],
  enrolment: ['addPasskey', 'createTotp'],
  scan: [],
  save: [],
  confirm: ['totp'],
  addPhone: ['addPhone'],
};

describe('A request of the second factor that fails', () => {
  it.each(Object.keys(FACTOR_FORMS) as FormKind[])('has one visible text on the form %s', async (kind) => {
    const task = { kind, totp: TOTP, otp: SMS, phone: null, channel: 'sms' } as unknown as FactorFormState['task'];
    const phone_numbers = [{ phone_id: 'phone-1', phone_number: '+1 42' }];
    const step = { ...STEP, phone_numbers, enrol: ['totp', 'webauthn'] as const, recovery: { hours: 24 } };
    const form = { ...(beginStep(step) as FactorFormState), task };
    const { model } = showState({ screen: { name: 'SecondFactor', flow: form, isConsent: false } });
    await waitFor(() => screen.getByRole('heading', { level: 1 }));
    for (const request of FACTOR_FORMS[kind]) {
      for (const error of SPECIAL) {
        const flow = { ...form, error, failed: request };
        model.set({ screen: { name: 'SecondFactor', flow, isConsent: false } });
        const said = `${request} ${error.error_type}`;
        expect([said, texts().length]).toEqual([said, 1]);
        expect(texts()[0]?.textContent).not.toBe('');
      }
    }
  });
});

/** Each change of the account page. */
const CHANGES: readonly AccountChange[] = [
  { kind: 'name', name: {} },
  { kind: 'sendCode', method: 'email', destination: 'b@example.com' },
  { kind: 'sendCode', method: 'sms', destination: '+14155552671' },
  { kind: 'sendText', method: 'sms', edit: 1, country: 'US', national: '' },
  { kind: 'enterCode', code: '123456', otp },
  { kind: 'enterCode', code: '123456', otp: SMS },
  { kind: 'password', password: 'x' },
  { kind: 'addPasskey' },
  { kind: 'renamePasskey', id: 'a', name: 'b' },
  { kind: 'createTotp' },
  { kind: 'confirmTotp', code: '1' },
  { kind: 'showRecoveryCodes' },
  { kind: 'renewRecoveryCodes' },
  { kind: 'endOthers' },
  { kind: 'moreSessions', cursor: 'c' },
  { kind: 'exportData' },
  { kind: 'deleteUser' },
  { kind: 'signOut' },
  ...(Object.keys(OF_REMOVABLE) as RemovalTarget[]).map((what) => ({ kind: 'remove', what, id: 'x' }) as const),
];
/** A form of the page, or none. */
const TASKS: readonly (AccountTask | null)[] = [
  null,
  { kind: 'name' },
  { kind: 'addEmail' },
  { kind: 'addPhone' },
  { kind: 'password' },
  { kind: 'enterCode', otp },
  { kind: 'enterCode', otp: SMS },
  { kind: 'addTotp', totp: TOTP },
  { kind: 'endOthers' },
];

describe('A change of the account that fails', () => {
  it.each(oneOf(3, TASKS).map((task) => [task?.kind ?? 'no form', task] as const))(
    'has one visible text, in its section or beside the way out (%s)',
    async (_, task) => {
      const fixture = FIXTURES.find(({ id }) => id === 'account');
      const page = fixture?.state.account as AccountPage;
      const { model } = showState({ ...fixture?.state, account: { ...page, task } }, fixture);
      await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
      for (const [at, change] of CHANGES.entries()) {
        const error = SPECIAL[at % SPECIAL.length] as AuthError;
        model.set({ account: { ...page, task, error, failed: doingOf(change) } });
        expect([change.kind, texts().length]).toEqual([change.kind, 1]);
      }
    },
  );

  it('has a text where the host leaves out its section', async () => {
    const fixture = FIXTURES.find(({ id }) => id === 'account');
    const page = fixture?.state.account as AccountPage;
    const config = { accountOptions: { sections: ['sessions'] } } as const;
    const { model } = showState({ ...fixture?.state }, { config });
    await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
    for (const change of [{ kind: 'signOut' }, { kind: 'endOthers' }, { kind: 'addPasskey' }] as const) {
      model.set({ account: { ...page, error: apiError('brand_new'), failed: change } });
      expect([change.kind, texts().length]).toEqual([change.kind, 1]);
    }
  });
});
