import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError } from '../../gallery/fixtures.ts';
import { showScreen } from './show.tsx';

afterEach(cleanup);

const EMAIL = 'ada@example.com';
const ALONE: LoginConfig = { products: ['passwords'] };
const WITH_CODE: LoginConfig = { products: ['passwords', 'otp'], otpOptions: { methods: ['email'] } };
const NEW: Screen = { name: 'PasswordCreateOrLogin', email: EMAIL, userType: 'new' };
const LOGIN: Screen = { ...NEW, userType: 'password' };

const field = () => screen.getByLabelText<HTMLInputElement>(/^(New p|P)assword$/u);
const button = (name: string) => screen.getByRole('button', { name });

describe('The field for a password', () => {
  it.each([
    [LOGIN, 'current-password'],
    [NEW, 'new-password'],
  ])('is what a password manager looks for, beside the name', (at, autocomplete) => {
    showScreen(at, { config: ALONE });
    expect(field()).toMatchObject({ type: 'password', required: true, maxLength: -1 });
    expect(field().getAttribute('autocomplete')).toBe(autocomplete);
    const name = screen.getByLabelText<HTMLInputElement>('Email address');
    expect(name).toMatchObject({ readOnly: true, value: EMAIL, type: 'email' });
    expect(name.getAttribute('autocomplete')).toBe('username');
    expect(name.form).toBe(field().form);
  });

  it('shows and hides the password with a button that names its action', async () => {
    showScreen(LOGIN, { config: ALONE });
    await userEvent.type(field(), 'secret');
    const reveal = button('Show password');
    expect(reveal.getAttribute('aria-pressed')).toBe('false');
    await userEvent.click(reveal);
    expect(reveal.getAttribute('aria-pressed')).toBe('true');
    expect(field()).toMatchObject({ type: 'text', value: 'secret' });
    await userEvent.click(reveal);
    expect(field()).toMatchObject({ type: 'password', value: 'secret' });
  });

  it('hides the password when it is sent, and cannot show it until the answer', async () => {
    const { model } = showScreen(LOGIN, { config: ALONE });
    await userEvent.type(field(), 'secret');
    await userEvent.click(button('Show password'));
    await userEvent.click(button('Continue'));
    expect(field()).toMatchObject({ type: 'password', readOnly: true });
    await userEvent.click(button('Show password'));
    expect(field().type).toBe('password');
    model.tell({ type: 'failed', asked: model.intents[0]!, error: apiError('unauthorized_credentials') });
    await userEvent.click(button('Show password'));
    expect(field().type).toBe('text');
  });

  it('is marked only by the refusal of a request that sent it', () => {
    const { model } = showScreen(LOGIN, { config: WITH_CODE });
    for (const failed of ['password/loginRequested', 'password/passwordlessRequested'] as const) {
      model.set({ error: apiError('unauthorized_credentials'), failed });
      expect([failed, field().getAttribute('aria-invalid')]).toEqual([
        failed,
        String(failed.endsWith('/loginRequested')),
      ]);
    }
  });

  it('accepts pasted text unchanged: spaces, any length, any letter', async () => {
    const { model } = showScreen(LOGIN, { config: ALONE });
    const password = ` ${'ä🐎 '.repeat(60)}`;
    await userEvent.click(field());
    await userEvent.paste(password);
    await userEvent.click(button('Continue'));
    expect(model.intents).toEqual([{ type: 'password/loginRequested', email: EMAIL, password }]);
  });

  it('keeps the password only in the input: in no attribute, and nowhere after the field is removed', async () => {
    const { model, container } = showScreen(LOGIN, { config: ALONE });
    await userEvent.type(field(), 'Canary-77');
    const input = field();
    expect(container.innerHTML).not.toContain('Canary');
    await userEvent.click(button('Show password'));
    expect(container.innerHTML).not.toContain('Canary');
    model.tell({ type: 'password/loggedIn', reply: {} });
    expect(container.innerHTML).not.toContain('Canary');
    expect(input).toMatchObject({ value: '', type: 'password' });
    expect(screen.getByRole('heading').textContent).toBe('Success!');
  });
});

describe('Logging in', () => {
  it('asks for the password that is missing', async () => {
    const { model } = showScreen(LOGIN, { config: ALONE });
    await userEvent.click(button('Continue'));
    expect(model.intents).toEqual([]);
    expect(document.activeElement).toBe(field());
    expect(field().getAttribute('aria-invalid')).toBe('true');
    const message = screen.getByText('Please enter your password.');
    expect(field().getAttribute('aria-describedby')).toContain(message.id);
    await userEvent.type(field(), 'x');
    expect(screen.queryByText('Please enter your password.')).toBeNull();
  });

  it('says with the field that the password was refused, until it is typed again', async () => {
    const { model } = showScreen(LOGIN, { config: ALONE });
    await userEvent.type(field(), 'wrong{Enter}');
    model.tell({ type: 'failed', asked: model.intents[0]!, error: apiError('unauthorized_credentials') });
    const banner = screen.getByText('Unauthorized credentials.');
    const described = field().getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.some((id) => document.getElementById(id)?.contains(banner))).toBe(true);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    expect(field()).toMatchObject({ selectionStart: 0, selectionEnd: 5 });
    await userEvent.type(field(), 'r');
    expect(screen.queryByText('Unauthorized credentials.')).toBeNull();
    expect(field().getAttribute('aria-invalid')).toBe('false');
    await userEvent.keyboard('{Enter}');
    model.tell({ type: 'failed', asked: model.intents[1]!, error: apiError('unauthorized_credentials') });
    expect(screen.getByText('Unauthorized credentials.')).toBeTruthy();
  });

  it('sends the password that a password manager has written without an event', () => {
    const { model, container } = showScreen(LOGIN, { config: ALONE });
    field().value = 'secret';
    fireEvent.submit(container.querySelector('form')!);
    expect(model.intents).toMatchObject([{ email: EMAIL, password: 'secret' }]);
  });

  it('sends once, however often it is pressed in one moment', async () => {
    const { model, container } = showScreen(LOGIN, { config: WITH_CODE });
    await userEvent.type(field(), 'secret');
    for (let press = 0; press < 10; press += 1) fireEvent.submit(container.querySelector('form')!);
    expect(model.intents).toHaveLength(1);
    await userEvent.click(button('Forgot Password?'));
    await userEvent.click(button('Email me a login code'));
    expect(model.intents).toHaveLength(1);
  });

  it('lets a forgotten password be mailed about, and the way back keep the address', async () => {
    const { model } = showScreen(LOGIN, { config: ALONE });
    await userEvent.click(button('Forgot Password?'));
    expect(model.intents).toEqual([{ type: 'password/forgotten', email: EMAIL }]);
    await userEvent.click(button('Back'));
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe(EMAIL);
  });
});
