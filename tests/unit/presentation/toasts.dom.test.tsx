import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import type { Toast } from '#domain/screens/widget-state.ts';
import { OTP_SCREEN, showState } from './show.tsx';

afterEach(cleanup);

const toast = (id: number, kind: Toast['kind'], change: Partial<Toast> = {}): Toast => ({
  id,
  kind,
  error: kind === 'error' ? new SDKAPIUnreachableError('network') : null,
  text: null,
  ...change,
});
const show = (...toasts: Toast[]) => showState({ screen: OTP_SCREEN, toasts });
const shown = (): number => document.querySelectorAll('[data-part=toast]').length;
const dismissButtons = (): HTMLElement[] => screen.getAllByRole('button', { name: 'Dismiss' });

describe('A toast', () => {
  it('shows a message in a live region', () => {
    show(toast(1, 'success', { text: 'emailResent' }));
    expect(screen.getByText('Email resent').closest('[role=alert]')?.getAttribute('aria-atomic')).toBe('false');
  });

  it('of success goes after two seconds', async () => {
    const { model } = show(toast(1, 'success'));
    await model.pass(1_999);
    expect(shown()).toBe(1);
    await model.pass(1);
    expect(shown()).toBe(0);
  });

  it('of an error does not go by itself, but with its screen', async () => {
    const { model } = show(toast(1, 'error'));
    await model.pass(600_000);
    expect(shown()).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(shown()).toBe(0);
  });

  it('that says that something loads stays until it is taken away', async () => {
    const { model } = show(toast(1, 'loading'));
    await model.pass(600_000);
    expect(screen.getByText('Loading…')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  });

  it('stays while the pointer is over it, and then has its whole time again', async () => {
    const { model, container } = show(toast(1, 'success'));
    const element = container.querySelector('[data-part=toast]')!;
    await model.pass(1_000);
    fireEvent.pointerEnter(element);
    await model.pass(60_000);
    expect(shown()).toBe(1);
    fireEvent.pointerLeave(element);
    await model.pass(1_999);
    expect(shown()).toBe(1);
    await model.pass(1);
    expect(shown()).toBe(0);
  });

  it('can be dismissed by keyboard, and hands the focus on', async () => {
    const { model } = show(toast(1, 'error'), toast(2, 'error'));
    dismissButtons()[0]!.focus();
    await userEvent.keyboard('{Enter}');
    expect(shown()).toBe(1);
    model.set({ toasts: [toast(3, 'error'), toast(4, 'error')] });
    dismissButtons()[0]!.focus();
    await userEvent.keyboard('{Enter}');
    expect(shown()).toBe(1);
    expect(document.activeElement).toBe(dismissButtons()[0]);
    await userEvent.keyboard('{Enter}');
    expect(shown()).toBe(0);
    expect(document.activeElement).toBe(screen.getByRole('heading'));
  });
});
