import { cleanup, fireEvent, screen as page, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { showScreen } from './show.tsx';

afterEach(cleanup);

const NAME = 'Create account with passkey';
const MAIN = { name: 'Main', email: '' } as const;
const show = (config: LoginConfig) => showScreen(MAIN, { config: { ...config, passkeyOptions: { signUp: true } } });
const press = async (): Promise<void> => void fireEvent.click(await page.findByRole('button', { name: NAME }));
const field = () => page.getByRole('textbox', { name: 'Email address' });
const type = (value: string): void => void fireEvent.change(field(), { target: { value } });

describe('the sign-up with a passkey on the first screen', () => {
  it('opens a form where no other field has the address, and says when it is none', async () => {
    const { model } = show({ products: ['passkeys'] });
    expect(page.queryByRole('textbox')).toBeNull();
    await press();
    expect(document.activeElement).toBe(field());
    expect(document.body.textContent).toContain('There is no password.');
    type('nobody');
    await press();
    expect(page.getByText('Email format is invalid.')).toBeTruthy();
    expect(model.intents).toEqual([]);
    type('ada@example.com');
    await press();
    expect(model.intents).toEqual([{ type: 'passkey/createRequested', email: 'ada@example.com' }]);
    // One ceremony for many presses.
    await press();
    expect(model.sent('passkey/createRequested')).toHaveLength(1);
  });

  it('takes the address of the email form above it, which says when it is none', async () => {
    const { model } = show({ products: ['emailMagicLinks', 'passkeys'] });
    await press();
    expect(page.getByText('Email format is invalid.')).toBeTruthy();
    expect(model.sent('passkey/createRequested')).toEqual([]);
    type(' ada@example.com ');
    await press();
    expect(model.sent('passkey/createRequested')).toEqual([
      { type: 'passkey/createRequested', email: 'ada@example.com' },
    ]);
    expect(model.sent('magicLink/requested')).toEqual([]);
  });

  it.each([
    ['passwords are a product, whose form for a new one has it', { products: ['passwords', 'passkeys'] }],
    ['passkeys are no product', { products: ['emailMagicLinks'] }],
  ] as const)('is not there where %s', async (_, config) => {
    show(config);
    await waitFor(() => expect(page.getAllByRole('button').length).toBeGreaterThan(0));
    await import('#presentation/parts/passkeys/PasskeySignUp.tsx');
    expect(page.queryByRole('button', { name: NAME })).toBeNull();
  });
});
