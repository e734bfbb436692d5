import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccountPage } from '#domain/account/account.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

await loadPart('account');
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = async (id: string) => {
  const fixture = FIXTURES.find((each) => each.id === id);
  if (fixture === undefined) throw new Error(id);
  const shown = showState(fixture.state, { config: fixture.config });
  await waitFor(() => screen.getByRole('heading', { level: 1 }));
  return { ...shown, page: shown.model.getState().account as AccountPage };
};
const button = (name: string) => screen.getByRole('button', { name });
const region = () => screen.queryByRole('region', { name: 'Your data' });

describe('The data on the account page', () => {
  it('is not there where the server has no such calls, nor for somebody who acts for the user', async () => {
    const { model, page } = await show('account-data');
    expect(region()).not.toBeNull();
    model.tell({ type: 'account/changed', account: { ...page, sessions: { status: 'absent' } } });
    expect(region()).toBeNull();
    model.tell({ type: 'account/changed', account: page });
    model.set({ bootstrap: DEFAULT_BOOTSTRAP });
    expect(region()).toBeNull();
  });

  it('can be downloaded where nobody deletes an account', async () => {
    const { model } = await show('account-data-download');
    expect(screen.queryByRole('button', { name: 'Delete your account' })).toBeNull();
    await userEvent.click(button('Download your data'));
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change: { kind: 'exportData' } }]);
  });

  it('is saved as a file once it is there, without a navigation, and again by a button', async () => {
    const { model, page } = await show('account-data');
    const made: Blob[] = [];
    const clicked: string[] = [];
    URL.createObjectURL = vi.fn((blob: Blob) => `blob:file-${made.push(blob)}`);
    URL.revokeObjectURL = vi.fn();
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      clicked.push(`${this.download} ${this.href}`);
    });
    const text = '{"user":{"user_id":"user-test-1"}}\n';
    model.tell({ type: 'account/changed', account: { ...page, task: { kind: 'exported', text } } as AccountPage });
    await waitFor(() => expect(clicked).toEqual(['account-data.json blob:file-1']));
    expect([made[0]?.type, made[0]?.size]).toEqual(['application/json', text.length]);
    const group = screen.getByRole('group', { name: 'The file with your data is ready.' });
    expect(document.activeElement).toBe(group);
    await userEvent.click(button('Save the file'));
    expect(clicked).toEqual(['account-data.json blob:file-1', 'account-data.json blob:file-2']);
    expect(URL.revokeObjectURL).toHaveBeenCalledTimes(2);
    await userEvent.click(button('Done'));
    expect(model.sent('account/closed')).toHaveLength(1);
    model.tell({ type: 'account/changed', account: page });
    expect(clicked).toHaveLength(2);
  });
});

describe('The deletion on the account page', () => {
  it('asks one question, which says what is lost, and is given up by Escape', async () => {
    const { model, page } = await show('account-data');
    await userEvent.click(button('Delete your account'));
    expect(model.sent('account/opened')).toEqual([{ type: 'account/opened', task: { kind: 'deleteUser' } }]);
    model.tell({ type: 'account/changed', account: { ...page, task: { kind: 'deleteUser' } } as AccountPage });
    const question = screen.getByRole('group', {
      name: /^Delete your account\? You lose .* This cannot be undone\.$/u,
    });
    expect(document.activeElement).toBe(question);
    expect(screen.queryByRole('textbox')).toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(model.sent('account/closed')).toHaveLength(1);
    model.tell({ type: 'account/changed', account: page });
    expect(document.activeElement).toBe(button('Delete your account'));
  });

  it('is asked for by its own button', async () => {
    const { model } = await show('account-delete');
    await userEvent.click(button('Yes, delete my account'));
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change: { kind: 'deleteUser' } }]);
  });

  it('takes the password, as it was typed, or a code by email', async () => {
    const { model } = await show('account-delete-password');
    const field = screen.getByLabelText('Password');
    expect([field.getAttribute('type'), field.getAttribute('autocomplete')]).toEqual(['password', 'current-password']);
    await userEvent.type(field, ' ١٢ three {Enter}');
    expect(model.sent('account/proven')).toEqual([{ type: 'account/proven', code: ' ١٢ three ' }]);
    await userEvent.click(button('Send a code to your email address'));
    expect(model.sent('account/wayChosen')).toEqual([{ type: 'account/wayChosen', way: 'email' }]);
    expect(screen.queryByRole('button', { name: 'Use the authenticator app' })).toBeNull();
  });

  it('ends with a page that says so, where the focus is', async () => {
    const { model } = await show('account-data');
    model.tell({ type: 'account/changed', account: { at: 'signedOut', ended: true } });
    model.tell({ type: 'account/changed', account: { at: 'signedOut', deleted: true } });
    const heading = screen.getByRole('heading', { level: 1, name: 'Your account is deleted' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  });
});
