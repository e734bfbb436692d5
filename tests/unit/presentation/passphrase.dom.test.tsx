import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import '#presentation/parts/passwords/passphrase-words.ts';
import { showState } from './show.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const NEW: Screen = { name: 'PasswordCreateOrLogin', email: 'ada@example.com', userType: 'new' };
const PHRASE = /^(?:[a-z]{3,5}-){4}[a-z]{3,5}$/u;

const show = (config: LoginConfig = { products: ['passwords'] }, luds: number | null = null) =>
  showState(
    {
      screen: NEW,
      bootstrap: {
        ...DEFAULT_BOOTSTRAP,
        passwordConfig: luds === null ? null : { ludsComplexity: luds, ludsMinimumCount: 8 },
      },
    },
    { config },
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const suggested = async (): Promise<string> => {
  await press('Suggest a passphrase');
  return (await screen.findByRole('group', { name: 'Suggested passphrase' })).querySelector('code')?.textContent ?? '';
};
const field = () => screen.getByLabelText<HTMLInputElement>('Password');

describe('a suggested passphrase', () => {
  it('is shown, and filled in to be read and checked; the field stays one for a new password', async () => {
    const { model } = show();
    const phrase = await suggested();
    expect(phrase).toMatch(PHRASE);
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Suggested passphrase' }));
    expect([field().value, model.intents]).toEqual(['', []]);
    await press('Use this');
    expect([field().value, field().type, field().autocomplete]).toEqual([phrase, 'text', 'new-password']);
    expect(document.activeElement).toBe(field());
    expect(model.intents).toEqual([{ type: 'password/edited', check: 1, email: 'ada@example.com', password: phrase }]);
    // It is nowhere else in the page.
    expect(document.documentElement.outerHTML).not.toContain(phrase);
    await press('Show password');
    expect(field().type).toBe('password');
  });

  it('can be another one, and be copied', async () => {
    show();
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const first = await suggested();
    await press('Another one');
    const second = document.querySelector('code')?.textContent ?? '';
    expect([PHRASE.test(second), second === first]).toEqual([true, false]);
    await press('Copy');
    expect(copy).toHaveBeenCalledWith(second);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    // What is shown then is not what was copied.
    await press('Another one');
    await press('Copy');
    expect(copy).toHaveBeenLastCalledWith(document.querySelector('code')?.textContent);
    expect(copy).toHaveBeenCalledTimes(2);
  });

  it('meets the rules of the project', async () => {
    show(undefined, 4);
    expect(await suggested()).toMatch(/^[A-Z].*-\d$/u);
  });

  it('is gone with its screen: from the page, its element and every intent', async () => {
    const { model, unmount } = show();
    const phrase = await suggested();
    const element = document.querySelector('code');
    unmount();
    expect(element?.textContent).toBe('');
    expect(JSON.stringify([model.intents, model.getState(), Object.entries(localStorage)])).not.toContain(phrase);
  });

  it('is not offered where the host does without, and not for a password that exists', () => {
    show({ products: ['passwords'], passwordOptions: { suggestPassphrase: false } });
    expect(screen.queryByRole('button', { name: 'Suggest a passphrase' })).toBeNull();
    cleanup();
    showState({ screen: { ...NEW, userType: 'password' } }, { config: { products: ['passwords'] } });
    expect(screen.queryByRole('button', { name: 'Suggest a passphrase' })).toBeNull();
  });
});
