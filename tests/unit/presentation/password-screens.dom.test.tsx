import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError, otpSent } from '../../gallery/fixtures.ts';
import { showScreen, showState } from './show.tsx';

afterEach(cleanup);

const email = 'ada@example.com';
const ALONE: LoginConfig = { products: ['passwords'] };
const WITH_LINK: LoginConfig = { products: ['passwords', 'emailMagicLinks'] };
const WITH_CODE: LoginConfig = { products: ['passwords', 'otp'], otpOptions: { methods: ['email'] } };
const NEW: Screen = { name: 'PasswordCreateOrLogin', email, userType: 'new' };
const LOGIN: Screen = { ...NEW, userType: 'password' };
const SENDING: Screen = { name: 'PasswordCreateOrLogin', email, userType: 'passwordless', message: null };

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const text = (): string => document.body.textContent ?? '';
const buttons = () => screen.queryAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('The texts of the specification', () => {
  it('for a new user', () => {
    showScreen(NEW, { config: ALONE });
    expect(heading()).toBe('Finish creating your account by setting a password.');
    expect(text()).not.toContain('Choose how');
    expect(buttons()).toEqual(['Back', 'Show password', 'Suggest a passphrase', 'Continue']);
  });

  it.each([
    [WITH_LINK, 'Email me a login link', { type: 'magicLink/requested', email }],
    [WITH_CODE, 'Email me a login code', { type: 'otp/requested', method: 'email', destination: email }],
  ] as const)('for somebody new who may have a mail instead', async (config, words, intent) => {
    const { model } = showScreen(NEW, { config });
    expect(text()).toContain('Choose how you would like to create your account.');
    await press(words);
    expect(model.intents).toEqual([intent]);
  });

  it.each([
    [['passwords', 'passkeys'], ['Create account with passkey']],
    [
      ['passwords', 'emailMagicLinks', 'passkeys'],
      ['Create account with passkey', 'Email me a login link'],
    ],
    [['passwords'], []],
  ] as const)('for somebody new who may have a passkey instead: %s', async (products, ways) => {
    const { model } = showScreen(NEW, { config: { products, passkeyOptions: { signUp: true } } });
    expect(buttons().slice(4)).toEqual(ways);
    if (ways.length === 0) return;
    await press('Create account with passkey');
    expect(model.intents).toEqual([{ type: 'passkey/createRequested', email }]);
  });

  it('for a user with a password', () => {
    showScreen(LOGIN, { config: WITH_CODE });
    expect(heading()).toBe('Log In');
    expect(buttons()).toEqual(['Back', 'Show password', 'Continue', 'Forgot Password?', 'Email me a login code']);
  });

  it('PasswordForgot', async () => {
    const { model } = showScreen({ name: 'PasswordForgot', email }, { config: WITH_LINK });
    expect(heading()).toBe('Forgot password?');
    expect(text()).toContain(`A link to reset your password was sent to you at ${email}.`);
    expect(buttons()).toEqual(['Back', 'Login without a password', 'Resend email']);
    await press('Resend email');
    model.tell({ type: 'password/resent', reply: {} });
    expect(screen.getByText('Email resent')).toBeTruthy();
    await press('Login without a password');
    expect(model.intents.at(-1)).toEqual({ type: 'magicLink/requested', email });
    cleanup();
    showScreen({ name: 'PasswordForgot', email }, { config: ALONE });
    expect(buttons()).toEqual(['Back', 'Resend email']);
  });

  it('PasswordDedupe, for a breach elsewhere and for proof', () => {
    showScreen({ name: 'PasswordDedupe', email, reason: 'breached' }, { config: ALONE });
    expect(heading()).toBe('Check your email to set a new password');
    expect(text()).toContain('Another site where you use the same password had a security issue.');
    cleanup();
    showScreen({ name: 'PasswordDedupe', email, reason: 'required' }, { config: ALONE });
    expect(heading()).toBe('Check your email to set a new password!');
    expect(text()).toContain("We want to make sure your account is secure and that it's really you logging in!");
    expect(text()).not.toContain('security issue');
  });

  it('PasswordBreached', () => {
    showScreen({ name: 'PasswordBreached', email }, { config: ALONE });
    expect(heading()).toBe('Check your email to set a new password!');
    expect(text()).toContain("it's really you logging in!");
    expect(text()).toContain('This password is in a list of breached passwords. Please reset it before you log in.');
    cleanup();
    const strings = { 'error.breached_password': 'Known from a leak.' };
    showScreen({ name: 'PasswordBreached', email }, { config: ALONE, strings });
    expect(text()).toContain('Known from a leak.');
  });

  it('PasswordSetNew', () => {
    showScreen({ name: 'PasswordSetNew', email }, { config: ALONE });
    expect(heading()).toBe('Check your email!');
    expect(text()).toContain(`A login link was sent to you at ${email}.`);
    expect(buttons()).toEqual(['Back', 'Resend email']);
  });

  it.each([WITH_LINK, WITH_CODE, ALONE])('PasswordResetForm, with the login without a password', async (config) => {
    const { model } = showScreen({ name: 'PasswordResetForm', tokenType: 'reset' }, { config });
    expect(heading()).toBe('Reset your password');
    expect(buttons()).toEqual([
      'Back',
      'Show password',
      'Suggest a passphrase',
      'Continue',
      'Login without a password',
    ]);
    await press('Login without a password');
    expect(model.intents).toEqual([{ type: 'resetLink/opened' }]);
    const busy = screen.getByRole('button', { name: 'Login without a password' });
    expect(busy.getAttribute('aria-busy')).toBe('true');
    const asked = { type: 'resetLink/opened' } as const;
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    expect(text()).toContain('Unable to contact our servers.');
    model.tell({ type: 'resetLink/verified', reply: {} });
    expect(text()).toContain('You have successfully logged in.');
  });

  it('PasswordResetForm while a link logs in, and when it did not', async () => {
    const { model } = showState(
      { screen: { name: 'PasswordResetForm', tokenType: 'login' }, pending: 'resetLink/opened' },
      { config: ALONE },
    );
    expect(heading()).toBe('Logging in...');
    expect(document.querySelector('[data-icon=spinner]')).not.toBeNull();
    const asked = { type: 'resetLink/opened' } as const;
    model.tell({ type: 'failed', asked, error: apiError('unable_to_auth_magic_link') });
    expect(text()).toContain('This link was already used or has expired. Please try again.');
    expect(buttons()).toEqual(['Go back']);
    await press('Go back');
    expect(heading()).toBe('Sign up or log in');
  });

  it('PasswordConfirmation', () => {
    showScreen({ name: 'PasswordConfirmation' }, { config: ALONE });
    expect(heading()).toBe('Success!');
    expect(text()).toContain('You have successfully logged in.');
  });
});

describe('A user without a password', () => {
  it('sees the link on its way, that it failed, and that it is there', async () => {
    const { model } = showState({ screen: SENDING, pending: 'password/passwordlessRequested' }, { config: WITH_LINK });
    expect(text()).toContain(`Sending an email to ${email}.`);
    const asked = { type: 'password/passwordlessRequested', email } as const;
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    expect(text()).toContain('Unable to contact our servers.');
    await press('Try again');
    expect(model.intents).toEqual([asked]);
    model.tell({ type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply: {} });
    expect(heading()).toBe('Check your email');
    expect(text()).toContain(`An email was sent to ${email}.`);
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    expect(document.querySelector('[data-part=announcer]')?.textContent).toBe('Check your email');
  });

  it('enters the code there, without a back arrow but with a way back', async () => {
    const { model } = showScreen(SENDING, { config: WITH_CODE });
    const message = { kind: 'code', otp: otpSent() } as const;
    model.tell({ type: 'password/passwordlessSent', email, message, reply: {} });
    expect(heading()).toBe('Enter passcode');
    expect(document.activeElement).toBe(screen.getByLabelText('Passcode'));
    expect(buttons()).toEqual(['Resend code', 'Create a password instead', 'Use another email address']);
    await userEvent.type(screen.getByLabelText('Passcode'), '123456');
    expect(model.intents).toEqual([{ type: 'otp/codeEntered', code: '123456' }]);
    await press('Use another email address');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe(email);
  });

  it('can create a password instead', async () => {
    const { model } = showScreen({ ...SENDING, message: { kind: 'link' } }, { config: WITH_LINK });
    await press('Create a password instead');
    expect(model.intents).toEqual([{ type: 'password/insteadRequested', email }]);
  });
});
