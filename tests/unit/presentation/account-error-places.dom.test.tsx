import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { doingOf } from '#domain/account/account-changes.ts';
import {
  OF_REMOVABLE,
  sectionOf,
  type AccountChange,
  type AccountPage,
  type AccountTask,
  type RemovalTarget,
} from '#domain/account/account.ts';
import type { AuthError } from '#domain/errors.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { beginStep, type FactorFormState, type FactorRequest } from '#domain/sessions/second-factor.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { otp, STEP } from '../domain/every-event.ts';
import { oneOf } from '../../soak.ts';
import { SPECIAL, texts } from './placed-errors.ts';
import { showState } from './show.tsx';

beforeAll(async () => {
  await Promise.all([loadPart('account'), loadPart('factors')]);
});
afterEach(cleanup);

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
  profile: ['profile'],
};

describe('A request of the second factor that fails', () => {
  it.each(Object.keys(FACTOR_FORMS) as FormKind[])('has one visible text on the form %s', async (kind) => {
    const profile = { fields: [], terms: [], user_id: 'user-test-1' };
    const task = { kind, totp: TOTP, otp: SMS, phone: null, channel: 'sms' } as unknown as FactorFormState['task'];
    const phone_numbers = [{ phone_id: 'phone-1', phone_number: '+1 42' }];
    const step = { ...STEP, profile, phone_numbers, enrol: ['totp', 'webauthn'] as const, recovery: { hours: 24 } };
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

/** Each change of the account page, but those of the user's data, for which the server of the fixture has no calls. */
const CHANGES: readonly AccountChange[] = [
  { kind: 'name', name: {} },
  { kind: 'details', fields: {} },
  { kind: 'acceptTerms', id: 'tos', version: '2' },
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
  { kind: 'signOut' },
  ...(Object.keys(OF_REMOVABLE) as RemovalTarget[]).map((what) => ({ kind: 'remove', what, id: 'x' }) as const),
];
/** A form of the page, or none. */
const TASKS: readonly (AccountTask | null)[] = [
  null,
  { kind: 'name' },
  { kind: 'details' },
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
      const bootstrap = { ...DEFAULT_BOOTSTRAP, account: { deletion: true, asks_profile: true } };
      const { model } = showState({ ...fixture?.state, bootstrap, account: { ...page, task } }, fixture);
      await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
      for (const [at, change] of CHANGES.entries()) {
        const error = SPECIAL[at % SPECIAL.length] as AuthError;
        const section = sectionOf(doingOf(change));
        // The user of the fixture has nothing in the others, so nothing there can fail.
        if (section !== null && document.querySelector(`[data-section=${section}]`) === null) continue;
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
