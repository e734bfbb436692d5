import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountPage, AccountTask } from '#domain/account/account.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { UserButton } from '#presentation/parts/user-button/UserButton.tsx';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { PHONE } from '../../gallery/fixtures/phone.ts';
import { showScreen, showState } from './show.tsx';

await loadPart('account');

/** The keys that the page around the widget hears, and the ones that would close a dialog of the browser. */
let heard: string[] = [];
const hear = ({ key }: KeyboardEvent): void => void heard.push(key);
const closes: string[] = [];
const notePress = (event: KeyboardEvent): void => {
  queueMicrotask(() => {
    if (!event.defaultPrevented) closes.push(event.key);
  });
};
beforeEach(() => {
  heard = [];
  closes.length = 0;
  document.addEventListener('keydown', hear);
  document.addEventListener('keydown', notePress, true);
});
afterEach(() => {
  document.removeEventListener('keydown', hear);
  document.removeEventListener('keydown', notePress, true);
  cleanup();
});

const pressEscape = () => userEvent.keyboard('{Escape}');
const click = (name: RegExp | string): boolean => fireEvent.click(screen.getByRole('button', { name }));

const PASSKEY = {
  webauthn_registration_id: 'a',
  domain: 'localhost',
  user_agent: '',
  authenticator_type: 'platform',
  verified: true,
  name: 'Laptop',
} as const;
const passkeys = () =>
  showState({ screen: { name: 'PasskeyRegistrationSuccess', created: true }, passkeys: [PASSKEY] });

async function account(task: AccountTask) {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  const page = fixture?.state.account as AccountPage;
  const shown = showState({ ...fixture?.state, account: { ...page, task } }, fixture);
  await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
  return shown;
}

/** What opens, and whether it is open. */
const OPENED: Readonly<Record<string, () => Promise<() => boolean>>> = {
  'the list of countries': async () => {
    showScreen({ name: 'Main', email: '' }, { config: PHONE });
    await userEvent.click(screen.getByRole('button', { name: /^Country/u }));
    return () => screen.queryByRole('listbox') !== null;
  },
  'the name of a passkey': async () => {
    passkeys();
    click('Rename Laptop');
    return () => screen.queryByRole('textbox') !== null;
  },
  'the question about a passkey': async () => {
    passkeys();
    click('Delete Laptop');
    return () => screen.queryByRole('button', { name: 'Cancel' }) !== null;
  },
  'the menu of a user': async () => {
    const user = { user_id: 'u', name: { first_name: 'Ada' }, emails: [] } as never;
    const nothing = (): void => undefined;
    const rest = { styles: undefined, strings: undefined, language: undefined, warn: nothing, manage: nothing };
    render(<UserButton user={user} signOut={async () => undefined} {...rest} />);
    fireEvent.click(await screen.findByRole('button'));
    return () => screen.queryByRole('menu') !== null;
  },
  'a form of the account page': async () => {
    const { model } = await account({ kind: 'name' });
    screen.getByRole('textbox', { name: 'First name' }).focus();
    return () => model.sent('account/closed').length === 0;
  },
};

describe('Escape in a widget', () => {
  it.each(Object.entries(OPENED))('closes %s, and nothing around the widget', async (_, open) => {
    const isOpen = await open();
    expect(isOpen()).toBe(true);
    heard = [];
    closes.length = 0;
    await pressEscape();
    expect(isOpen()).toBe(false);
    expect([heard, closes]).toEqual([[], []]);
  });

  it('with nothing open is heard by the page', async () => {
    showScreen({ name: 'Main', email: '' });
    screen.getByRole('textbox').focus();
    await pressEscape();
    expect([heard, closes]).toEqual([['Escape'], ['Escape']]);
  });

  it.each<[string, AccountTask]>([
    ['text that is not saved', { kind: 'name' }],
    ['codes that are shown once', { kind: 'recoveryCodes', codes: ['aaaa-bbbb'], fresh: true }],
  ])('closes nothing around the account page while it has %s', async (_, task) => {
    const { model } = await account(task);
    if (task.kind === 'name') await userEvent.type(screen.getByRole('textbox', { name: 'First name' }), 'x');
    else document.querySelector<HTMLElement>('[data-part=task] button')?.focus();
    heard = [];
    closes.length = 0;
    await pressEscape();
    expect(model.sent('account/closed')).toEqual([]);
    expect([heard, closes]).toEqual([[], []]);
  });
});
