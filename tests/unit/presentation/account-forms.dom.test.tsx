import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountPage, AccountState, AccountTask } from '#domain/account/account.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { LONG_EMAIL } from '../../gallery/fixture.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';
import { soakIt } from '../../soak-tests.ts';

await loadPart('account');
afterEach(cleanup);

/** The account page with its states played by the test. */
const show = async () => {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  if (fixture === undefined) throw new Error('There is no fixture of the account page.');
  const shown = showState(fixture.state, { config: fixture.config });
  await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
  const page = shown.model.getState().account as AccountPage;
  const become = (account: AccountState): void => shown.model.tell({ type: 'account/changed', account });
  const rest = (change: Partial<AccountPage> = {}): void => become({ ...page, ...change } as AccountPage);
  const open = (task: AccountTask | null): void => rest({ task });
  return { ...shown, page, become, rest, open };
};
const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const announced = (): string | null | undefined => document.querySelector('[data-part=announcer]')?.textContent;

describe('A form of the account page that another one replaces', () => {
  it('comes back with what was typed into it', async () => {
    const { open } = await show();
    open({ kind: 'name' });
    await userEvent.clear(textbox('First name'));
    await userEvent.type(textbox('First name'), 'Augusta');
    open({ kind: 'addEmail' });
    await userEvent.type(textbox('Email address'), 'ada@new.example');
    open({ kind: 'addPhone' });
    await userEvent.type(textbox('Phone number'), '415');
    open({ kind: 'name' });
    expect(textbox('First name').value).toBe('Augusta');
    open({ kind: 'addEmail' });
    expect(textbox('Email address').value).toBe('ada@new.example');
    open({ kind: 'addPhone' });
    expect(textbox('Phone number').value).toBe('415');
  });

  it('stays empty where everything was deleted', async () => {
    const { open } = await show();
    open({ kind: 'name' });
    await userEvent.clear(textbox('First name'));
    open({ kind: 'addEmail' });
    open({ kind: 'name' });
    expect(textbox('First name').value).toBe('');
  });

  it('is not there for another user', async () => {
    const { open, page, become } = await show();
    open({ kind: 'name' });
    await userEvent.type(textbox('First name'), ' King');
    const user = { ...page.user, user_id: 'user-test-2', name: { first_name: 'Grace', last_name: 'Hopper' } };
    become({ ...page, user, task: { kind: 'name' } });
    expect(textbox('First name').value).toBe('Grace');
  });

  it('begins anew after it was closed', async () => {
    const { open } = await show();
    open({ kind: 'name' });
    await userEvent.type(textbox('First name'), ' King');
    await userEvent.click(button('Cancel'));
    open(null);
    open({ kind: 'name' });
    expect(textbox('First name').value).toBe('Ada');
  });

  it('begins anew after it was saved', async () => {
    const { open, rest, page } = await show();
    open({ kind: 'name' });
    await userEvent.type(textbox('First name'), ' King');
    const user = { ...page.user, name: { first_name: 'Augusta', last_name: 'King' } };
    rest({ user, task: null, news: { id: 1, what: 'nameChanged' } });
    rest({ user, task: { kind: 'name' } });
    expect(textbox('First name').value).toBe('Augusta');
  });
});

describe('A new email address on the account page', () => {
  it('is not asked for a code if it is there already, unless it waits for one', async () => {
    const { open, model } = await show();
    open({ kind: 'addEmail' });
    await userEvent.type(textbox('Email address'), 'ADA@example.com');
    await userEvent.click(button('Send a code'));
    expect(screen.getByText('This address is already in your account.')).toBeDefined();
    expect(document.activeElement).toBe(textbox('Email address'));
    expect(model.sent('account/asked')).toEqual([]);
    await userEvent.clear(textbox('Email address'));
    await userEvent.type(textbox('Email address'), LONG_EMAIL);
    await userEvent.click(button('Send a code'));
    expect(model.sent('account/asked')).toHaveLength(1);
  });
});

describe('Escape on the account page', () => {
  it('closes a form whose texts are not changed, and a question', async () => {
    const { open, model } = await show();
    open({ kind: 'name' });
    await userEvent.type(textbox('First name'), '{Escape}');
    expect(model.sent('account/closed')).toHaveLength(1);
    open({ kind: 'remove', what: 'email', id: 'email-2' });
    await userEvent.keyboard('{Escape}');
    expect(model.sent('account/closed')).toHaveLength(2);
  });

  soakIt('leaves a text that is not saved, and codes that are shown once', async () => {
    const { open, model } = await show();
    open({ kind: 'name' });
    await userEvent.type(textbox('First name'), 'x{Escape}');
    const otp = { type: 'email', destination: 'ada@new.example', methodId: 'm', expiresAt: model.clock.now() + 60_000 };
    open({ kind: 'enterCode', otp: otp as never });
    await userEvent.type(screen.getByRole('textbox', { name: /code/iu }), '12{Escape}');
    open({ kind: 'addPhone' });
    await userEvent.type(textbox('Phone number'), '415{Escape}');
    open({ kind: 'recoveryCodes', codes: ['aaaa-bbbb'], fresh: true });
    await userEvent.keyboard('{Escape}');
    expect(model.sent('account/closed')).toEqual([]);
  });
});

describe('The focus on the account page', () => {
  soakIt('returns to the opener of the form that was open last, also after the form that follows it', async () => {
    const { open } = await show();
    open({ kind: 'name' });
    open({ kind: 'addEmail' });
    const otp = { type: 'email', destination: 'ada@new.example', method_id: 'm', expiresAt: 0 };
    open({ kind: 'enterCode', otp: otp as never });
    open(null);
    expect(document.activeElement).toBe(button('Add an email address'));
  });

  it('stays on the action of another section, which closes the form', async () => {
    const { page, open, become, rest } = await show();
    open({ kind: 'addEmail' });
    button('Create a passkey').focus();
    become({ ...page, at: 'working', task: null, doing: { kind: 'addPasskey' }, from: null, waiting: [] });
    expect(document.activeElement).toBe(button('Create a passkey'));
    rest();
    open({ kind: 'addEmail' });
    button('Create a passkey').focus();
    const task = { kind: 'addEmail' } as const;
    become({ ...page, at: 'working', task, doing: { kind: 'addPasskey' }, from: null, waiting: [] });
    rest();
    expect(document.activeElement).toBe(button('Create a passkey'));
  });

  it('goes to the heading when the user is signed out, which is announced', async () => {
    const { become } = await show();
    become({ at: 'signedOut', ended: true });
    const heading = screen.getByRole('heading', { level: 1, name: 'You are signed out' });
    expect(document.activeElement).toBe(heading);
    expect(announced()).toBe('You are signed out');
  });

  it('goes to the heading when the page cannot be loaded again', async () => {
    const { page, become } = await show();
    become({ at: 'failed', error: new SDKAPIUnreachableError('network') });
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    become({ at: 'arriving' });
    become(page);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Your account' }));
  });

  it('stays on the heading while the page loads, and is not taken by a page that comes by itself', async () => {
    const { page, become } = await show();
    const heading = () => screen.getByRole('heading', { level: 1, name: 'Your account' });
    become({ at: 'arriving' });
    heading().focus();
    become(page);
    expect(document.activeElement).toBe(heading());
    become({ at: 'arriving' });
    const elsewhere = document.body.appendChild(document.createElement('button'));
    elsewhere.focus();
    become(page);
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });
});

describe('A change on the account page', () => {
  it('shows a spinner in its own section, while the forms of others wait', async () => {
    const { page, become } = await show();
    const task = { kind: 'name' } as const;
    become({ ...page, at: 'working', task, doing: { kind: 'addPasskey' }, from: null, waiting: [] });
    expect(button('Create a passkey').getAttribute('aria-busy')).toBe('true');
    expect(button('Save').getAttribute('aria-busy')).toBeNull();
    expect(button('Save').getAttribute('aria-disabled')).toBe('true');
    become({ ...page, at: 'working', task, doing: { kind: 'name' }, from: task, waiting: [] });
    expect(button('Save').getAttribute('aria-busy')).toBe('true');
  });

  it('is announced once, by the one live region of the page', async () => {
    const { rest } = await show();
    const profile = within(screen.getByRole('region', { name: 'Profile' }));
    rest({ news: { id: 1, what: 'nameChanged' } });
    expect(profile.getByText('Your name was saved.')).toBeTruthy();
    expect(announced()).toBe('Your name was saved.');
    const live = '[aria-live], [role=alert], [role=status], output';
    expect(document.querySelectorAll(`[data-part=account-page] :is(${live})`)).toHaveLength(0);
  });

  it('without a section, such as a sign-out that fails, is announced by it, too', async () => {
    const { rest } = await show();
    rest({ error: new SDKAPIUnreachableError('network'), failed: { kind: 'signOut' } });
    expect(announced()).toBe('Unable to contact our servers.');
  });

  it('of a list that cannot be loaded is announced by it, too', async () => {
    const { rest } = await show();
    rest({ apps: { status: 'failed', error: new SDKAPIUnreachableError('network') } });
    expect(announced()).toMatch(/^Connected apps: Unable to contact our servers\./u);
    expect(within(screen.getByRole('region', { name: 'Connected apps' })).queryByRole('alert')).toBe(null);
  });

  it('that added an authenticator app is told once, with the codes', async () => {
    const { rest } = await show();
    const task = { kind: 'recoveryCodes', codes: ['aaaa-bbbb'], fresh: true } as const;
    rest({ task, news: { id: 1, what: 'totpAdded' } });
    expect(screen.getAllByText(/authenticator app (?:is|was) turned on/u)).toHaveLength(1);
  });
});

describe('A form of the account page', () => {
  it('says above the button of a new password, and after its field, that other devices are signed out', async () => {
    const { open } = await show();
    open({ kind: 'password' });
    const field = await screen.findByLabelText('New password');
    const said = screen.getByText('Saving signs you out on your other devices.');
    expect(field.compareDocumentPosition(said)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(said.nextElementSibling).toBe(button('Continue'));
  });

  it('shows at its field that the server refuses a number, and other refusals under the form', async () => {
    const { rest } = await show();
    const task = { kind: 'addPhone' } as const;
    const failed = { kind: 'sendText' } as const;
    rest({ task, error: apiError('invalid_phone_number_country_code'), failed });
    const field = textbox('Phone number');
    const said = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect([field.getAttribute('aria-invalid'), said?.textContent]).toEqual([
      'true',
      expect.stringMatching(/country/u),
    ]);
    expect(document.querySelector('[data-part=banner]')).toBeNull();
    rest({ task, error: apiError('duplicate_phone_number'), failed });
    expect(field.getAttribute('aria-invalid')).toBe('false');
    expect(document.querySelector('[data-part=banner]')?.textContent).toMatch(/belongs to another account/u);
  });
});

describe('Linked accounts', () => {
  it('are unlinked after a question; the last way in stays', async () => {
    const { page, rest, model } = await show();
    expect(screen.queryByRole('region', { name: 'Linked accounts' })).toBeNull();
    const google = { oauth_user_registration_id: 'oauth-1', provider_type: 'google', provider_subject: '1' };
    const wallet = {
      crypto_wallet_id: 'w',
      crypto_wallet_address: '0x52',
      crypto_wallet_type: 'ethereum',
      verified: true,
    };
    const user = { ...page.user, providers: [google], crypto_wallets: [wallet] };
    rest({ user });
    const region = within(screen.getByRole('region', { name: 'Linked accounts' }));
    expect(region.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Google'),
      expect.stringContaining('0x52'),
    ]);
    rest({ user, task: { kind: 'remove', what: 'social', id: 'oauth-1' } });
    await userEvent.click(button('Yes, remove'));
    const change = { kind: 'remove', what: 'social', id: 'oauth-1' };
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change }]);
    const alone = { ...user, emails: [], phone_numbers: [], webauthn_registrations: [], crypto_wallets: [] };
    rest({ user: alone, task: { kind: 'remove', what: 'social', id: 'oauth-1' } });
    expect(screen.queryByRole('button', { name: 'Yes, remove' })).toBeNull();
    expect(region.getByText(/your only way to sign in/u)).toBeTruthy();
  });
});

it('names an app as the consent page did, and one whose name is not seen by its id', async () => {
  const { rest } = await show();
  const items = ['\u202Emoc.knab', '\u3164'].map((name, at) => ({ connected_app_id: `app-${at}`, name }));
  rest({ apps: { status: 'known', items: items as never } });
  const apps = within(screen.getByRole('region', { name: 'Connected apps' }));
  const names = apps.getAllByRole('button').map((one) => one.getAttribute('aria-label'));
  expect(names).toEqual(['Revoke access: moc.knab', 'Revoke access: app-1']);
});
