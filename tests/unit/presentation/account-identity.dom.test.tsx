import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountPage } from '#domain/account/account.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

await loadPart('account');
afterEach(cleanup);

const show = async (change: (page: AccountPage) => Partial<AccountPage> = () => ({})) => {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  if (fixture === undefined) throw new Error('There is no fixture of the account page.');
  const account = fixture.state.account as AccountPage;
  const state = { ...fixture.state, account: { ...account, ...change(account) } as AccountPage };
  const shown = showState(state, { config: fixture.config });
  await waitFor(() => screen.getByRole('heading', { level: 1 }));
  return shown;
};
const region = (name: string) => screen.getByRole('region', { name });
const face = () => region('Profile').querySelector('[data-part=face]');

describe('The account page', () => {
  it('begins with whose account it is', async () => {
    await show();
    expect(screen.getAllByRole('region')[0]).toBe(region('Profile'));
    expect(face()?.textContent).toBe('AL');
    expect(region('Profile').textContent).toContain('Ada Lovelace');
    expect(region('Profile').textContent).toContain('ada@example.com');
  });

  it('shows who it is while the name is edited', async () => {
    await show(() => ({ task: { kind: 'name' } }));
    expect(region('Profile').textContent).toContain('Ada Lovelace');
    expect(screen.queryByRole('button', { name: 'Edit your name' })).toBeNull();
  });

  it('tells password managers whose password is set, in a text field that does not show', async () => {
    await loadPart('passwords');
    const { model } = await show();
    const account = model.getState().account as AccountPage;
    model.tell({ type: 'account/changed', account: { ...account, task: { kind: 'password' } } });
    const field = await waitFor(() => screen.getByLabelText('New password', { selector: 'input' }));
    const name = field.closest('form')?.querySelector<HTMLInputElement>('[autocomplete=username]');
    expect([name?.type, name?.hidden, name?.value]).toEqual(['text', true, 'ada@example.com']);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(document.activeElement).toBe(field);
  });

  it('breaks a long address at its dots and its sign, and shows a domain as it is written', async () => {
    const address = 'ada.king@mail.xn--bcher-kva.example';
    await show(({ user }) => ({ user: { ...user, emails: [{ email_id: 'e', email: address, verified: true }] } }));
    for (const name of ['Profile', 'Email addresses']) {
      const said = region(name).querySelector('bdi[dir=ltr]');
      expect(said?.textContent).toBe('ada.king@mail.bücher.example');
      expect(said?.innerHTML.split('<wbr>').slice(0, 3)).toEqual(['ada', '.king', '@mail']);
    }
  });

  it('has no initials of somebody without a name and address', async () => {
    await show(({ user }) => ({ user: { ...user, name: {}, emails: [], phone_numbers: [] } }));
    expect(face()?.childNodes).toHaveLength(0);
    expect(region('Profile').textContent).toContain('No name yet');
  });
});

describe('The sessions of the account page', () => {
  const DAY_MS = 86_400_000;

  it('say in words what was within a day, and else the date and the time', async () => {
    let now = 0;
    const ago = (days: number): string => new Date(now - days * DAY_MS).toISOString();
    const { model } = await show();
    now = model.clock.now();
    const page = model.getState().account as AccountPage;
    if (page.sessions.status !== 'known') throw new Error('The fixture has no sessions.');
    const [here, other] = page.sessions.items;
    if (here === undefined || other === undefined) throw new Error('The fixture has one session.');
    const items = [
      { ...here, is_current: true, last_accessed_at: ago(3), started_at: ago(0.5) },
      { ...other, is_current: false, last_accessed_at: ago(1 / 12), started_at: ago(1.5) },
    ];
    model.tell({ type: 'account/changed', account: { ...page, sessions: { ...page.sessions, items } } });
    const rows = [...region('Where you are signed in').querySelectorAll('[data-part=facts]')];
    expect(rows[0]?.textContent).toContain('Active now');
    expect(rows[0]?.textContent).toContain('Signed in 12 hours ago');
    expect(rows[1]?.textContent).toContain('Last used 2 hours ago');
    const [, started] = rows[1]?.querySelectorAll('time') ?? [];
    expect(started?.textContent).toMatch(/^Signed in \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/u);
    expect(started?.dateTime).toBe(ago(1.5));
  });
});
