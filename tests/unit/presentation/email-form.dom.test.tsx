import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { EMAIL_OTP, MAGIC_LINK } from '../../gallery/fixtures.ts';
import { showScreen } from './show.tsx';

afterEach(cleanup);

const show = (config: LoginConfig, email = '') => showScreen({ name: 'Main', email }, { config });
const field = () => screen.getByRole<HTMLInputElement>('textbox');
const press = () => userEvent.click(screen.getByRole('button', { name: 'Continue with email' }));

describe('The email form', () => {
  it('shows that there is no network, also after there is one again, until what was sent is changed', async () => {
    const { model } = show(EMAIL_OTP);
    await userEvent.type(field(), 'ada@example.com');
    await press();
    const [asked] = model.sent('otp/requested');
    if (!asked) throw new Error('Nothing was sent.');
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network', null, null, 'offline') });
    expect(navigator.onLine).toBe(true);
    screen.getByText('You are offline. Check your connection, then try again.');
    expect(model.sent('form/edited')).toEqual([]);
    await userEvent.type(field(), '.uk');
    expect(model.getState().error).toBeNull();
  });

  it('keeps other errors while the person types', async () => {
    const { model } = show(EMAIL_OTP);
    await userEvent.type(field(), 'ada@example.com');
    await press();
    const [asked] = model.sent('otp/requested');
    if (!asked) throw new Error('Nothing was sent.');
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    await userEvent.type(field(), '.uk');
    screen.getByText('Unable to contact our servers.');
  });

  it.each([
    [MAGIC_LINK, 'Email format is invalid.'],
    [EMAIL_OTP, 'Invalid email address.'],
  ])('refuses what is no address, says so with the field, and sends nothing', async (config, words) => {
    const { model } = show(config);
    await userEvent.type(field(), 'ada@example');
    await press();
    expect(model.intents).toEqual([]);
    const message = screen.getByText(words);
    expect(message.getAttribute('role')).toBe('alert');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')).toBe(message.id);
    expect(document.activeElement).toBe(field());
    await userEvent.type(field(), '.com');
    expect(screen.queryByText(words)).toBeNull();
    expect(field().getAttribute('aria-invalid')).toBe('false');
  });

  it('sends a link or a passcode, depending on the configuration', async () => {
    const link = show(MAGIC_LINK);
    await userEvent.type(field(), ' ada@example.com {Enter}');
    expect(link.model.intents).toEqual([{ type: 'magicLink/requested', email: 'ada@example.com' }]);
    cleanup();
    const otp = show(EMAIL_OTP, 'ada@example.com');
    await press();
    expect(otp.model.intents).toEqual([{ type: 'otp/requested', method: 'email', destination: 'ada@example.com' }]);
  });

  it('is sent by a press whose button an answer moves away', () => {
    const { model, container } = show(EMAIL_OTP, 'ada@example.com');
    const button = screen.getByRole('button', { name: 'Continue with email' });
    const at = { button: 0, clientX: 50, clientY: 20 };
    fireEvent.pointerDown(button, at);
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 80, 100, 40));
    fireEvent.click(container, { ...at, detail: 1 });
    expect(model.sent('otp/requested')).toHaveLength(1);
  });

  it('sends the address that a password manager has written without an event', () => {
    const { model, container } = show(EMAIL_OTP);
    field().value = 'ada@example.com';
    fireEvent.submit(container.querySelector('form')!);
    expect(model.intents).toEqual([{ type: 'otp/requested', method: 'email', destination: 'ada@example.com' }]);
  });

  it('searches for the user first when passwords are configured', async () => {
    const { model } = show({ products: ['emailMagicLinks', 'passwords'] });
    await userEvent.type(field(), 'ada@example');
    await press();
    expect(screen.getByText('Email format is invalid.')).toBeTruthy();
    await userEvent.type(field(), '.com{Enter}');
    expect(model.intents).toEqual([{ type: 'password/emailEntered', email: 'ada@example.com' }]);
  });

  it('sends once, however often it is pressed in one moment', () => {
    const { model, container } = show(EMAIL_OTP, 'ada@example.com');
    const form = container.querySelector('form');
    for (let press = 0; press < 10; press += 1) if (form) fireEvent.submit(form);
    expect(model.intents).toHaveLength(1);
  });

  it('shows that it works and keeps the focus on the button', async () => {
    const { model } = show(EMAIL_OTP, 'ada@example.com');
    await press();
    const button = screen.getByRole('button');
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.hasAttribute('disabled')).toBe(false);
    expect(button.textContent).toBe('Continue with email');
    expect(document.activeElement).toBe(button);
    await press();
    expect(model.intents).toHaveLength(1);
  });

  it('shows the error in a banner, and can be submitted again', async () => {
    const { model } = show(MAGIC_LINK, 'ada@example.com');
    const banner = document.querySelector('[data-part=errors]');
    expect(banner?.getAttribute('role')).toBe('alert');
    await press();
    const asked = model.intents[0]!;
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    expect(banner?.textContent).toBe('Unable to contact our servers.');
    await press();
    expect(model.intents).toHaveLength(2);
    expect(banner?.textContent).toBe('');
  });
});

describe('The hint to a mistyped domain', () => {
  const hint = () => screen.queryByRole('button', { name: /^Did you mean/ });
  const announced = (container: HTMLElement) => container.querySelector('[data-part=announcer]')?.textContent;

  it('comes when typing pauses, is announced, and corrects the address with one press', async () => {
    const { model, container } = show(EMAIL_OTP);
    await userEvent.type(field(), 'ada@gmial.com');
    expect(hint()).toBeNull();
    await model.pass(600);
    expect(hint()?.textContent).toBe('Did you mean ada@gmail.com?');
    expect(announced(container)).toContain('Did you mean ada@gmail.com?');
    await userEvent.click(screen.getByRole('button', { name: /^Did you mean/ }));
    expect(field().value).toBe('ada@gmail.com');
    expect(document.activeElement).toBe(field());
    await model.pass(600);
    expect(hint()).toBeNull();
    await press();
    expect(model.intents).toEqual([{ type: 'otp/requested', method: 'email', destination: 'ada@gmail.com' }]);
  });

  it('prevents nothing, and does not come back for the same address', async () => {
    const { model } = show(EMAIL_OTP);
    await userEvent.type(field(), 'ada@gmial.com');
    await model.pass(600);
    expect(hint()).not.toBeNull();
    await userEvent.type(field(), '.example');
    expect(hint()).toBeNull();
    await userEvent.clear(field());
    await userEvent.type(field(), 'ada@gmial.com');
    await model.pass(600);
    expect(hint()).toBeNull();
    await press();
    expect(model.intents).toEqual([{ type: 'otp/requested', method: 'email', destination: 'ada@gmial.com' }]);
  });

  it('does not come while the pointer is on the button that it would move', async () => {
    const { model } = show(EMAIL_OTP);
    const { form } = field();
    const button = form!.querySelector('[type=submit]');
    // Nothing is under a pointer in jsdom.
    const pointed = vi.spyOn(form!, 'querySelector').mockReturnValue(button);
    await userEvent.type(field(), 'ada@gmial.com');
    await model.pass(600);
    expect(pointed).toHaveBeenCalledWith('[type=submit]:hover');
    expect(hint()).toBeNull();
    pointed.mockRestore();
    await userEvent.tab();
    expect(hint()).not.toBeNull();
  });

  it('comes at once when the field is left, and never for a known service', async () => {
    const { model } = show(EMAIL_OTP);
    await userEvent.type(field(), 'ada@gmx.de');
    await userEvent.tab();
    await model.pass(600);
    expect(hint()).toBeNull();
    await userEvent.clear(field());
    await userEvent.type(field(), 'ada@hotmial.com');
    await userEvent.tab();
    expect(hint()?.textContent).toBe('Did you mean ada@hotmail.com?');
  });
});
