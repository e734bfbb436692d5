import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountPage } from '#domain/account/account.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

await loadPart('account');
afterEach(cleanup);

const show = async (id: string, change: Partial<AccountPage> = {}) => {
  const fixture = FIXTURES.find((each) => each.id === id);
  if (fixture === undefined) throw new Error(id);
  const { account, ...state } = fixture.state;
  const shown = showState({ ...state, account: { ...account, ...change } as AccountPage }, { config: fixture.config });
  await waitFor(() => screen.getByRole('heading', { level: 1 }));
  return { ...shown, page: shown.model.getState().account as AccountPage };
};
const region = () => screen.getByRole('region', { name: 'Second factor' });
const known = <Item,>(...items: readonly Item[]) => ({ status: 'known', items }) as const;

describe('The second factor on the account page', () => {
  it('is what the user has of the factors that the project accepts', async () => {
    await show('account-second-factor');
    expect(region().textContent).toContain('You have: Passkeys · Authenticator app · Recovery codes');
  });

  it('names each trusted browser on its button, and keeps the focus when its row goes', async () => {
    const { model, page } = await show('account-second-factor');
    const button = screen.getByRole('button', { name: 'Stop trusting: Chrome on Linux' });
    await userEvent.click(button);
    const change = { kind: 'remove', what: 'device', id: 'device-1' };
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change }]);
    model.tell({ type: 'account/changed', account: { ...page, devices: known<never>() } });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Second factor' }));
    expect(region().textContent).toContain('You trust no browser');
  });

  it('warns of a recovery that waits, and stops it at once', async () => {
    const { model } = await show('account-recovery');
    expect(region().textContent).toContain('Someone asked to remove second factors of your account');
    await userEvent.click(screen.getByRole('button', { name: 'Stop the recovery' }));
    const change = { kind: 'remove', what: 'recovery', id: 'recovery-1' };
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change }]);
  });

  it('is not there where logins need one factor, unless a recovery waits', async () => {
    const { model, page } = await show('account-second-factor');
    model.set({ bootstrap: DEFAULT_BOOTSTRAP });
    expect(screen.queryByRole('region', { name: 'Second factor' })).toBeNull();
    const recovery = { recovery_id: 'recovery-1', available_at: '2030-01-01T00:00:00Z' };
    model.tell({
      type: 'account/changed',
      account: { ...page, recoveries: { status: 'known', items: [recovery] } },
    });
    expect(region().textContent).toContain('Someone asked');
    expect(region().textContent).not.toContain('You trust no browser');
  });
});

describe('The recovery codes on the account page', () => {
  it('are counted, and new ones can be made', async () => {
    const { model } = await show('account-totp-on');
    expect(screen.getByText(/Unused recovery codes: 3\./u).textContent).toContain('New codes end all earlier ones.');
    expect(screen.queryByRole('button', { name: 'Show recovery codes' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Make new recovery codes' }));
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change: { kind: 'renewRecoveryCodes' } }]);
  });

  it('are shown where the project allows it, and where the server has no call that counts them', async () => {
    const { model, page } = await show('account-totp-on', { recoveryCodes: known({ left: 0, can_be_shown: true }) });
    expect(screen.getByRole('button', { name: 'Show recovery codes' })).not.toBeNull();
    expect(screen.getByText(/Unused recovery codes: 0\./u)).not.toBeNull();
    model.tell({ type: 'account/changed', account: { ...page, recoveryCodes: { status: 'absent' } } });
    expect(screen.getByRole('button', { name: 'Show recovery codes' })).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Make new recovery codes' })).toBeNull();
    model.tell({ type: 'account/changed', account: { ...page, recoveryCodes: { status: 'loading' } } });
    expect(screen.queryByRole('button', { name: /recovery codes/u })).toBeNull();
  });

  it('are confirmed when they are new, with the words that the earlier ones ended', async () => {
    await show('account-codes-renewed');
    expect(screen.getByRole('region', { name: 'Authenticator app' }).textContent).toContain(
      'New recovery codes were made. The earlier ones no longer work.',
    );
    expect(screen.getAllByText(/^k3mp-/u)).toHaveLength(10);
  });
});

describe('The proof of the second factor on the account page', () => {
  it('is a passkey of somebody without an authenticator app, or a code by text', async () => {
    const { model, page } = await show('account-proof-webauthn');
    expect(screen.queryByRole('textbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(model.sent('account/proven')).toEqual([{ type: 'account/proven', code: '' }]);
    await userEvent.click(screen.getByRole('button', { name: 'Send a code to your phone' }));
    expect(model.sent('account/wayChosen')).toEqual([{ type: 'account/wayChosen', way: 'text' }]);
    model.tell({ type: 'account/changed', account: { ...page, way: 'text' } as AccountPage });
    const field = screen.getByRole('textbox', { name: 'Code from the message' });
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    await userEvent.type(field, '123456{Enter}');
    expect(model.sent('account/proven').at(-1)).toEqual({ type: 'account/proven', code: '123456' });
    expect(screen.getByRole('button', { name: 'Use a passkey' })).not.toBeNull();
    expect(screen.queryByRole('button', { name: /authenticator app/u })).toBeNull();
  });
});
