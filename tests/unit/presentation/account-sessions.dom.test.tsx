import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { AccountPage } from '#domain/account/account.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

await loadPart('account');
afterEach(cleanup);

it.each([
  ['device_bound', 'Bound to its device'],
  ['device_trusted', 'Trusted browser'],
])('The list of sessions marks those with %s', async (field, mark) => {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  if (fixture === undefined) throw new Error('no fixture');
  const { model } = showState(fixture.state, { config: fixture.config });
  const region = await waitFor(() => screen.getByRole('region', { name: 'Where you are signed in' }));
  expect(within(region).queryByText(mark)).toBeNull();
  const page = model.getState().account as AccountPage;
  if (page.sessions.status !== 'known') throw new Error('no sessions');
  const items = page.sessions.items.map((item, at) => (at === 1 ? { ...item, [field]: true } : item));
  model.tell({ type: 'account/changed', account: { ...page, sessions: { ...page.sessions, items } } });
  await waitFor(() => within(region).getByText(mark));
  const marked = within(region)
    .getAllByRole('listitem')
    .filter((row) => row.textContent.includes(mark));
  expect(marked).toHaveLength(1);
});

it('The buttons of browsers with the same name are told apart by the facts beside them', async () => {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  if (fixture === undefined) throw new Error('no fixture');
  showState(fixture.state, { config: fixture.config });
  const region = await waitFor(() => screen.getByRole('region', { name: 'Where you are signed in' }));
  const buttons = within(region).getAllByRole('button', { name: /^Sign out (?!everywhere)/u });
  expect(buttons.length).toBeGreaterThan(0);
  for (const button of buttons) {
    const facts = button.closest('li')?.querySelector('[data-part=facts]')?.textContent ?? '';
    const described = document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
    expect([facts, described]).toEqual([expect.stringContaining('Signed in'), facts]);
  }
});
