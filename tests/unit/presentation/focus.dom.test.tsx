import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { MAGIC_LINK, otpSent } from '../../gallery/fixtures.ts';
import { OTP_SCREEN, showScreen } from './show.tsx';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const announced = (): string | null | undefined => document.querySelector('[data-part=announcer]')?.textContent;

describe('Focus', () => {
  it('is not taken when the widget appears', () => {
    showScreen(OTP_SCREEN);
    expect(document.activeElement).toBe(document.body);
    expect(announced()).toBe('');
  });

  it('moves to the heading of the next screen, which is announced', async () => {
    const { model } = showScreen({ name: 'Main', email: 'ada@example.com' }, { config: MAGIC_LINK });
    await userEvent.click(screen.getByRole('button'));
    model.tell({ type: 'magicLink/sent', email: 'ada@example.com', reply: {} });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Check your email' }));
    expect(announced()).toBe('Check your email');
    await model.pass(1_000);
    expect(announced()).toBe('');
  });

  it('announces the reason beside the heading of a failed wallet', async () => {
    const { model } = showScreen({ name: 'CryptoConnect', wallet: 'coinbase' });
    model.set({ screen: { name: 'CryptoError', wallet: 'coinbase' }, error: new SDKAPIUnreachableError('network') });
    await model.pass(0);
    expect(announced()).toMatch(/^Looks like there was an error! Unable to contact our servers\./u);
  });

  it('moves to the passcode field', async () => {
    const { model } = showScreen({ name: 'Main', email: 'ada@example.com' });
    await userEvent.click(screen.getByRole('button'));
    model.tell({ type: 'otp/sent', otp: otpSent(), reply: {} });
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Passcode' }));
    expect(announced()).toBe('Enter passcode');
  });

  it('moves to the email field where the header is hidden', () => {
    const { model } = showScreen(OTP_SCREEN, { styles: { hideHeaderText: true } });
    model.set({ screen: { name: 'Main', email: '' } });
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email address' }));
  });

  it('goes back to the address that was entered', async () => {
    showScreen(OTP_SCREEN);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email address' }));
    expect(announced()).toBe('Sign up or log in');
  });

  it('stays where the user is using the rest of the page', () => {
    const search = document.createElement('input');
    document.body.append(search);
    const { model } = showScreen({ name: 'EmailConfirmation', email: 'ada@example.com' });
    search.focus();
    model.tell({ type: 'session/appeared' });
    expect(document.activeElement).toBe(search);
    expect(announced()).toBe('Success!');
  });
});

describe('Live regions', () => {
  it('are there before there is anything to say', () => {
    const { container } = showScreen(OTP_SCREEN);
    // For a wrong code, for any other error of the screen, and the toasts.
    expect(container.querySelectorAll('[role=alert]')).toHaveLength(3);
    for (const region of container.querySelectorAll('[role=alert]')) expect(region.textContent).toBe('');
    expect(container.querySelector('[data-part=announcer]')?.getAttribute('aria-live')).toBe('polite');
  });
});
