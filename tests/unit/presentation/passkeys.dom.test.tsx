import { cleanup, fireEvent, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import { NOW } from '../../gallery/fixture.ts';
import { apiError } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';
import { soakIt } from '../../soak-tests.ts';

afterEach(cleanup);

const passkey = (id: string, name: string): WebauthnRegistration => ({
  webauthn_registration_id: id,
  domain: 'localhost',
  user_agent: '',
  authenticator_type: 'platform',
  verified: true,
  name,
});
const TWO = [passkey('a', 'Laptop'), passkey('b', 'Phone')];

const list = (passkeys: readonly WebauthnRegistration[] = TWO, created = true) =>
  showState({ screen: { name: 'PasskeyRegistrationSuccess', created }, passkeys });
const start = (creation: 'here' | 'none' = 'here') =>
  showState({ screen: { name: 'PasskeyRegistrationStart', creation }, passkeys: [] });
const press = (name: string): void => void fireEvent.click(page.getByRole('button', { name }));
const isOff = (name: string): boolean => page.getByRole('button', { name }).getAttribute('aria-disabled') === 'true';

describe('the start of a passkey registration', () => {
  it('asks for a passkey or to skip, and for one ceremony at a time', () => {
    const { model } = start();
    press('Create a Passkey');
    press('Create a Passkey');
    expect(model.sent('passkey/createRequested')).toHaveLength(1);
    press('Skip');
    expect(model.sent('passkey/skipped')).toHaveLength(1);
    expect(page.getByRole('heading').textContent).toBe('Existing Passkeys');
  });

  it('leads with its texts', () => {
    const { container } = start();
    expect(page.getByRole('heading').textContent).toBe('Set up a new Passkey');
    expect(container.textContent).toContain("With Passkeys you don't need to remember complex passwords.");
    expect(container.textContent).toMatch(/encrypted digital keys .* fingerprint, your face or your screen lock/u);
  });

  it('does not offer unsupported actions of the browser', () => {
    start('none');
    expect(page.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Skip']);
  });
});

describe('a second factor that is missing', () => {
  it.each([
    ['making one', () => start()],
    ['renaming or deleting one', () => list()],
  ])('is asked for in the words of the server when %s', (_, show) => {
    const { model } = show();
    model.set({ error: apiError('mfa_required') });
    expect(page.getAllByRole('alert')[0]?.textContent).toMatch(/Enter a code of your authenticator app first/u);
  });
});

describe('the list of passkeys', () => {
  it('reports what keeps each, whether it is synced, and when it was created and used', () => {
    const DAY_MS = 86_400_000;
    const at = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
    const detailed = (change: Partial<WebauthnRegistration>): string => {
      const { container } = list([{ ...passkey('a', 'Laptop'), ...change }]);
      const said = [...container.querySelectorAll('[data-part=passkey-details] bdi')].map((each) => each.textContent);
      cleanup();
      return said.join('|');
    };
    const google = { aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4' };
    const agent = { user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0.0.0 Safari/537.36' };
    const times = { created_at: at(40), last_used_at: at(1) };
    const synced = { backup_eligible: true, backed_up: true };
    expect(detailed({ ...google, ...agent, ...synced, ...times })).toBe(
      'Google Password Manager|Synced|Created Nov 22, 2025|Last used 1 day ago',
    );
    // What the name says already is not repeated.
    expect(detailed({ ...google, ...synced, name: 'Google Password Manager' })).toBe('Synced');
    expect(detailed({ ...agent, name: 'Chrome on Windows' })).toBe('');
    const bound = { backup_eligible: false, backed_up: false, last_used_at: null };
    expect(detailed({ ...agent, ...bound })).toBe('Chrome, Windows|On one device only|Not used yet');
    expect(detailed({ backup_eligible: true, backed_up: false, last_used_at: at(-1) })).toBe(
      'Not synced yet|Last used now',
    );
    // Registered before the server kept this, and by a server that says nothing or nonsense.
    expect(detailed({ backup_eligible: true, backed_up: null, last_used_at: null })).toBe('');
    expect(detailed({ created_at: 'soon', last_used_at: '', aaguid: 'constructor' })).toBe('');
    expect(detailed({})).toBe('');
  });

  it('shows the success message only after a passkey was created', () => {
    list();
    expect(page.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Passkey successfully created!',
      'Existing Passkeys',
    ]);
    cleanup();
    list(TWO, false);
    expect(page.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Existing Passkeys']);
  });

  it('edits one row: the others hide their actions, and both buttons wait', () => {
    const { model } = list();
    press('Rename Laptop');
    expect(page.getAllByRole('button').map((each) => each.getAttribute('aria-label') ?? each.textContent)).toEqual([
      'Save the name',
      'Set up another Passkey',
      'Done',
    ]);
    expect([isOff('Done'), isOff('Set up another Passkey')]).toEqual([true, true]);
    press('Done');
    expect(model.sent('passkey/done')).toEqual([]);
    const field = page.getByRole('textbox', { name: 'Name of the passkey' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' Desk ' } });
    press('Save the name');
    expect(model.sent('passkey/renamed')).toEqual([{ type: 'passkey/renamed', id: 'a', name: 'Desk' }]);
    expect(isOff('Done')).toBe(false);
    expect(document.activeElement).toBe(page.getByRole('button', { name: 'Rename Laptop' }));
  });

  it('keeps the old name for an empty one and for Escape', () => {
    const { model } = list();
    for (const leave of [
      (field: HTMLElement) => {
        fireEvent.change(field, { target: { value: '  ' } });
        press('Save the name');
      },
      (field: HTMLElement) => {
        fireEvent.change(field, { target: { value: 'Other' } });
        fireEvent.keyDown(field, { key: 'Escape' });
      },
    ]) {
      press('Rename Phone');
      leave(page.getByRole('textbox'));
      expect(page.queryByRole('textbox')).toBeNull();
    }
    expect(model.sent('passkey/renamed')).toEqual([]);
  });

  soakIt('warns before it deletes; Cancel leaves all as it was', () => {
    const { model, container } = list();
    press('Delete Phone');
    expect(container.textContent).toContain('Once deleted, the passkey cannot be restored.');
    expect(page.queryByRole('button', { name: 'Rename Laptop' })).toBeNull();
    expect(isOff('Done')).toBe(false);
    press('Cancel');
    expect(model.sent('passkey/deleted')).toEqual([]);
    expect(document.activeElement).toBe(page.getByRole('button', { name: 'Delete Phone' }));
    press('Delete Phone');
    press('Delete');
    expect(model.sent('passkey/deleted')).toEqual([{ type: 'passkey/deleted', id: 'b' }]);
    model.tell({ type: 'passkeys/known', passkeys: [passkey('a', 'Laptop')] });
    expect(document.activeElement).toBe(page.getByRole('region', { name: 'Existing Passkeys' }));
  });

  it('closes a row that has gone meanwhile', () => {
    const { model } = list();
    press('Rename Laptop');
    model.tell({ type: 'passkeys/known', passkeys: [passkey('b', 'Phone')] });
    expect(page.queryByRole('textbox')).toBeNull();
    expect(isOff('Done')).toBe(false);
  });

  it('shows names as text', () => {
    const { container } = list([passkey('a', '<img src=x onerror=alert(1)>')]);
    expect(container.querySelector('img')).toBeNull();
    expect(within(page.getByRole('listitem')).getByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  });

  it('is unavailable without a session, on both screens', async () => {
    const text = 'Error: Cannot use PasskeyRegistration component without active user authenticated.';
    showState({ screen: { name: 'PasskeyRegistrationStart', creation: 'here' }, passkeys: null });
    await Promise.resolve();
    expect(page.getAllByText(text).map(({ tagName }) => tagName)).toEqual(['P', 'OUTPUT']);
    expect(page.getByRole('status').textContent).toBe(text);
    cleanup();
    showState({ screen: { name: 'PasskeyRegistrationSuccess', created: true }, passkeys: null });
    await Promise.resolve();
    expect(page.getByRole('status').textContent).toBe(text);
  });
});
