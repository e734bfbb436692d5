import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import { beginStep, type FactorFormState, type FactorState, type FactorTask } from '#domain/sessions/second-factor.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { apiError, NOW, otpSent } from '../../gallery/fixtures.ts';
import { showScreen, type PlayedModel } from './show.tsx';

await loadPart('factors');
afterEach(cleanup);

const STEP: MfaStep = {
  factors: ['totp', 'sms', 'recovery_code'],
  phone_numbers: [{ phone_id: 'phone-1', phone_number: '+1 ••• ••• •• 42' }],
  enrol: [],
  expires_at: new Date(NOW + 600_000).toISOString(),
  trusted_device_days: 30,
  recovery: { hours: 24 },
  recovery_pending: null,
};
const ENROL: MfaStep = { ...STEP, factors: [], phone_numbers: [], enrol: ['totp', 'sms'], recovery: null };
const NEW_APP = {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Acme:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Acme',
  recoveryCodes: ['k3mp-9qdf-x2aa', 'k3mp-9qdf-x2ab'],
};

const form = (task: FactorTask, step = STEP): FactorFormState => ({
  ...(beginStep(step) as FactorFormState),
  task,
});
const show = (flow: FactorState, options?: Parameters<typeof showScreen>[1]) =>
  showScreen({ name: 'SecondFactor', flow, isConsent: false }, options);
const turn = (model: PlayedModel, flow: FactorState) => model.tell({ type: 'factor/changed', flow });

const heading = () => screen.getByRole('heading', { level: 1 });
const appCode = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Code from your authenticator app' });
const recoveryCode = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recovery code' });
const announced = (): string | null | undefined => document.querySelector('[data-part=announcer]')?.textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const asked = (model: PlayedModel) => model.sent('factor/asked').map((intent) => 'request' in intent && intent.request);
const opened = (model: PlayedModel) => model.sent('factor/opened').map((intent) => 'task' in intent && intent.task);

describe('The code of an authenticator app', () => {
  it('has one field for a keypad and for autofill', () => {
    show(form({ kind: 'totp' }));
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
    expect(appCode().inputMode).toBe('numeric');
    expect(appCode().getAttribute('autocomplete')).toBe('one-time-code');
  });

  it.each(['123 456', '123456\n', ' 123-456 ', '١٢٣٤٥٦'])('is sent once after a paste of %j', async (clip) => {
    const { model } = show(form({ kind: 'totp' }));
    await userEvent.click(appCode());
    await userEvent.paste(clip);
    expect(asked(model)).toEqual([{ kind: 'totp', code: '123456' }]);
  });

  it('has as many digits as the app of another system shows', async () => {
    const { model } = show(form({ kind: 'totp' }, { ...STEP, totp_digits: 8 }));
    expect(document.querySelectorAll('[data-part=box]')).toHaveLength(8);
    await userEvent.click(appCode());
    await userEvent.keyboard('123456');
    expect(asked(model)).toEqual([]);
    await userEvent.keyboard('78');
    expect(asked(model)).toEqual([{ kind: 'totp', code: '12345678' }]);
  });

  it('has its error on the field, which keeps the focus, until the person types', async () => {
    const { model } = show(form({ kind: 'totp' }));
    await userEvent.click(appCode());
    await userEvent.paste('123456');
    turn(model, { ...form({ kind: 'totp' }), error: apiError('otp_code_not_found') });
    expect(document.activeElement).toBe(appCode());
    expect(appCode().value).toBe('');
    expect(appCode().getAttribute('aria-invalid')).toBe('true');
    const described = appCode().getAttribute('aria-describedby')?.split(' ') ?? [];
    const error = described.map((id) => document.getElementById(id)).find((each) => each?.role === 'alert');
    expect(error?.textContent).toBe('Invalid passcode, please try again.');
    await userEvent.keyboard('1');
    expect(model.sent('factor/edited')).toHaveLength(1);
  });
});

describe('A recovery code', () => {
  it('is sent by the Enter key without its spaces and dashes, and an empty field sends nothing', async () => {
    const { model } = show(form({ kind: 'recovery_code' }));
    await userEvent.click(recoveryCode());
    await userEvent.keyboard('{Enter}');
    expect(asked(model)).toEqual([]);
    await userEvent.paste(' k3mp-9qdf-x2aa ');
    await userEvent.keyboard('{Enter}');
    expect(asked(model)).toEqual([{ kind: 'recovery_code', code: 'k3mp9qdfx2aa' }]);
  });

  it('has its error on the field', () => {
    show({ ...form({ kind: 'recovery_code' }), error: apiError('recovery_code_not_found') });
    expect(recoveryCode().getAttribute('aria-invalid')).toBe('true');
    const described = recoveryCode().getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.role)).toContain('alert');
  });
});

describe('The keyboard', () => {
  it('reaches the field, the trust, the other ways and the recovery in their order', async () => {
    show(form({ kind: 'totp' }));
    appCode().focus();
    const names: (string | null)[] = [];
    for (let at = 0; at < 3; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await userEvent.tab();
      names.push(document.activeElement?.id ? 'trust' : (document.activeElement?.textContent ?? null));
    }
    expect(names).toEqual(['trust', 'Use another way', 'Lost everything?']);
  });

  it('trusts the browser by the space key', async () => {
    const { model } = show(form({ kind: 'totp' }));
    const box = screen.getByRole('checkbox', { name: 'Trust this browser for 30 days' });
    expect(box.getAttribute('aria-describedby')).not.toBeNull();
    box.focus();
    await userEvent.keyboard(' ');
    expect(model.sent('factor/trusted')).toEqual([{ type: 'factor/trusted', trusts: true }]);
  });

  it('moves to each form that follows, and its heading is announced', async () => {
    const { model } = show(form({ kind: 'choice' }));
    await press('Recovery code');
    turn(model, form({ kind: 'recovery_code' }));
    expect(document.activeElement).toBe(recoveryCode());
    expect(announced()).toBe('Confirm that it is you');
    turn(model, form({ kind: 'recovery' }));
    expect(document.activeElement).toBe(heading());
    expect(announced()).toBe('Recover your account');
    const pending = { available_at: new Date(NOW + 86_400_000).toISOString() };
    turn(model, form({ kind: 'recovery' }, { ...STEP, recovery_pending: pending }));
    expect(document.activeElement).toBe(heading());
    expect(announced()).toBe('The recovery has begun');
  });
});

describe('The enrolment', () => {
  it('shows the key beside the QR code, then the recovery codes, then the field for the first code', async () => {
    const { model } = show(form({ kind: 'scan', totp: NEW_APP }, ENROL));
    await waitFor(() => screen.getByRole('img', { name: 'QR code for your authenticator app' }));
    expect(document.querySelector('[data-part=secret]')?.textContent).toBe('JBSW Y3DP EHPK 3PXP');
    await press('Continue');
    turn(model, form({ kind: 'save', totp: NEW_APP }, ENROL));
    expect(heading().textContent).toBe('Save your recovery codes');
    expect(Array.from(document.querySelectorAll('code'), ({ textContent }) => textContent)).toEqual(
      NEW_APP.recoveryCodes,
    );
    await press('I have saved them');
    turn(model, form({ kind: 'confirm', totp: NEW_APP }, ENROL));
    expect(heading().textContent).toBe('Enter the first code');
    expect(appCode().getAttribute('autocomplete')).toBe('one-time-code');
    expect(opened(model)).toMatchObject([{ kind: 'save' }, { kind: 'confirm' }]);
  });

  it('says what can happen to the codes of a phone number', () => {
    show(form({ kind: 'enrolment' }, ENROL));
    const text = screen.getByRole('button', { name: 'Receive text messages' }).closest('li')?.textContent;
    expect(text).toContain('Less safe: whoever takes over your number gets your codes.');
  });

  it('offers no recovery: there is nothing to lose yet', () => {
    show(form({ kind: 'enrolment' }, ENROL));
    expect(screen.queryByRole('button', { name: 'Lost everything?' })).toBeNull();
  });
});

describe('The recovery of lost factors', () => {
  it('says what it does before it begins', async () => {
    const { model } = show(form({ kind: 'recovery_code' }));
    await press('Lost everything?');
    expect(opened(model)).toEqual([{ kind: 'recovery' }]);
    turn(model, form({ kind: 'recovery' }));
    expect(heading().textContent).toBe('Recover your account');
    expect(document.body.textContent).toContain('this waits: 24 hours.');
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    expect(asked(model)).toEqual([]);
    await press('Begin the recovery');
    expect(asked(model)).toEqual([{ kind: 'startRecovery' }]);
  });

  it('says when it can be finished and how it is stopped, and leads back to the login', async () => {
    const pending = { available_at: new Date(NOW + 86_400_000).toISOString() };
    const { model } = show(form({ kind: 'recovery' }, { ...STEP, recovery_pending: pending }));
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });
    expect(document.querySelector('bdi')?.textContent).toBe(time.format(NOW + 86_400_000));
    expect(document.body.textContent).toContain('To stop it, open the link in any of the messages about it.');
    await press('Back to sign-in');
    expect(model.sent('back')).toHaveLength(1);
  });

  it('points to the newest message when its time has come', () => {
    const pending = { available_at: new Date(NOW - 1).toISOString() };
    show(form({ kind: 'recovery' }, { ...STEP, recovery_pending: pending }));
    expect(heading().textContent).toBe('The recovery can be finished');
  });

  it('is told of on the forms while it waits', () => {
    const pending = { available_at: new Date(NOW + 86_400_000).toISOString() };
    show(form({ kind: 'totp' }, { ...STEP, recovery_pending: pending }));
    expect(screen.getByRole('button', { name: 'A recovery of your account is under way' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Lost everything?' })).toBeNull();
  });

  it('is not offered where the project has none', () => {
    show(form({ kind: 'totp' }, { ...STEP, recovery: null }));
    expect(screen.queryByRole('button', { name: 'Lost everything?' })).toBeNull();
  });
});

describe('Languages that are read from right to left', () => {
  it('keep codes, keys and numbers in their own direction', async () => {
    const { container, model } = show(form({ kind: 'totp' }), { language: 'ar' });
    await waitFor(() => expect(heading().textContent).toBe('أكّد أنك صاحب الحساب'));
    expect(container.querySelector('[dir=rtl]')).not.toBeNull();
    expect(container.querySelector('[data-part=passcode]')?.getAttribute('dir')).toBe('ltr');
    turn(model, form({ kind: 'recovery_code' }));
    expect(container.querySelector('input[name=code]')?.getAttribute('dir')).toBe('ltr');
    turn(model, form({ kind: 'scan', totp: NEW_APP }, ENROL));
    expect(container.querySelector('[data-part=secret]')?.getAttribute('dir')).toBe('ltr');
    turn(model, form({ kind: 'save', totp: NEW_APP }, ENROL));
    expect(container.querySelector('[data-part=codes]')?.getAttribute('dir')).toBe('ltr');
    turn(model, form({ kind: 'choice' }));
    expect(container.querySelector('button bdi')?.textContent).toBe('+1\u00A0•••\u00A0•••\u00A0••\u00A042');
  });
});

describe('A login that needs no second factor', () => {
  it('shows nothing of it between the code and the success', () => {
    const { container, model } = showScreen({ name: 'OTPAuthenticate', otp: otpSent() });
    const seen: boolean[] = [];
    const note = (): void => void seen.push(container.querySelector('[data-part=second-factor]') !== null);
    const observer = new MutationObserver(note);
    observer.observe(container, { childList: true, subtree: true });
    model.tell({ type: 'otp/verified', reply: { session: {} } });
    note();
    observer.disconnect();
    expect(heading().textContent).toBe('Success!');
    expect(seen).not.toContain(true);
  });
});
