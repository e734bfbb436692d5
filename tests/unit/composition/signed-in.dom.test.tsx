import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { PorticoProvider, RequireRole, SignedIn, SignedOut, UserButton } from '#composition/react.tsx';
import { sessions } from '#application/api/index.ts';
import { unreachable } from '#domain/errors.ts';
import { UserButton as Menu } from '#presentation/parts/user-button/UserButton.tsx';
import { TestWorld, TOKEN } from '../application/world.ts';
import { soakIt } from '../../soak-tests.ts';

const ADA = 'ada@example.com';
const clients: PorticoUIClient[] = [];

afterEach(() => {
  cleanup();
  for (const client of clients.splice(0)) client.destroy();
});

function open(world = new TestWorld()) {
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  clients.push(client);
  return { world, client };
}

const under = (client: PorticoUIClient | null, children: ReactNode) => (
  <StrictMode>
    <PorticoProvider client={client}>{children}</PorticoProvider>
  </StrictMode>
);

const both = (
  <>
    <SignedIn>in</SignedIn>
    <SignedOut>out</SignedOut>
    {/* oxlint-disable-next-line jsx-a11y/aria-role -- a role of the project */}
    <RequireRole role="admin" fallback="no admin">
      admin
    </RequireRole>
  </>
);

describe('<SignedIn>, <SignedOut> and <RequireRole>', () => {
  it('follow the session', async () => {
    const { world, client } = open();
    world.server.settings.roleAssignments = [{ email: ADA, roles: ['admin'] }];
    const { container } = render(under(client, both));
    expect(container.textContent).toBe('outno admin');
    await act(() => world.signIn(client, ADA));
    expect(container.textContent).toBe('inadmin');
    await act(() => client.session.revoke());
    expect(container.textContent).toBe('outno admin');
  });

  it('take one of several roles', async () => {
    const { world, client } = open();
    world.server.settings.roleAssignments = [{ email: ADA, roles: ['reader'] }];
    await world.signIn(client, ADA);
    const [role = ''] = client.user.getSync()?.roles ?? [];
    const { container } = render(under(client, <RequireRole role={['owner', role]}>yes</RequireRole>));
    expect(role).not.toBe('');
    expect(container.textContent).toBe('yes');
  });

  it('show nothing before it is known who is signed in, as on a server', () => {
    expect(renderToString(under(null, both))).toBe('');
    const { client } = open();
    expect(renderToString(under(client, both))).toBe('');
  });
});

describe('<UserButton>', () => {
  async function show(props: Parameters<typeof UserButton>[0] = {}) {
    const opened = open();
    await opened.world.signIn(opened.client, ADA);
    await opened.client.user.update({ name: { first_name: 'Ada', last_name: 'Lovelace' } });
    render(under(opened.client, <UserButton {...props} />));
    return { ...opened, button: await screen.findByRole('button', { name: /Ada Lovelace/u }) };
  }

  it('is empty on a server, and without a session', () => {
    const { client } = open();
    expect(renderToString(under(client, <UserButton />))).toBe('');
    expect(render(under(client, <UserButton />)).container.textContent).toBe('');
  });

  it('shows who is signed in, and is a menu by keyboard', async () => {
    const manage = vi.fn();
    const { button } = await show({ manageAccount: manage });
    expect(button.textContent).toBe('AL');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    button.focus();
    fireEvent.keyDown(button, { key: 'ArrowDown' });
    const [first, last] = screen.getAllByRole('menuitem');
    expect(document.activeElement).toBe(first);
    expect(screen.getByText(ADA)).toBeTruthy();
    fireEvent.keyDown(first!, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(last);
    fireEvent.keyDown(last!, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(first);
    fireEvent.keyDown(first!, { key: 'Escape' });
    expect(screen.queryByRole('menu')).toBe(null);
    expect(document.activeElement).toBe(button);
    fireEvent.click(button);
    fireEvent.click(screen.getByText('Manage account'));
    expect(manage).toHaveBeenCalledOnce();
    expect(screen.queryByRole('menu')).toBe(null);
  });

  it('closes at a press elsewhere, and links to the page that the host names', async () => {
    const { button } = await show({ manageAccount: '/account' });
    fireEvent.click(button);
    expect(screen.getByText('Manage account').getAttribute('href')).toBe('/account');
    fireEvent.pointerDown(document.body);
    fireEvent.pointerCancel(document.body);
    expect(screen.queryByRole('menu'), 'a drag that scrolls').not.toBe(null);
    fireEvent.pointerDown(document.body);
    fireEvent.pointerUp(document.body);
    expect(screen.queryByRole('menu')).toBe(null);
  });

  it.each([
    ['the start', -210, '218px'],
    ['the end', 900, '-144px'],
    ['the middle', 300, ''],
  ])('keeps the menu within the page with the button at %s', async (_, left, shift) => {
    const { button } = await show();
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1024);
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(left, 60, 260, 180));
    fireEvent.click(button);
    const menu = screen.getByRole('menu').closest<HTMLElement>('[data-part=menu]');
    expect(menu?.style.getPropertyValue('--p-shift')).toBe(shift);
  });

  it('has only the items for a user without a name or an address', async () => {
    const { world, client } = open();
    await world.signIn(client, ADA);
    const user = { ...client.user.getSync()!, emails: [], name: {} };
    render(<Menu {...{ user, warn: vi.fn() }} manage="/account" signOut={vi.fn()} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Account menu' }));
    expect(document.querySelector('[data-part=menu]')?.textContent).toBe('Manage accountSign out');
    expect(document.querySelector('[data-part=who]')).toBe(null);
  });

  it('offers a reload where the code for the sign-out did not load', async () => {
    const { client, world } = open();
    await world.signIn(client, ADA);
    const user = client.user.getSync();
    if (user === null) throw new Error('nobody is signed in');
    const gone = vi.fn().mockRejectedValue(unreachable(new TypeError('Failed to fetch')));
    render(<Menu {...{ user, warn: vi.fn() }} manage={null} signOut={gone} />);
    fireEvent.click(await screen.findByRole('button'));
    fireEvent.click(screen.getByText('Sign out'));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Part of this page did not load.Reload'));
  });

  it('tells the developer once of a preset that does not exist', async () => {
    const warn = vi.fn<(message: string) => void>();
    const { client, world } = open();
    await world.signIn(client, ADA);
    const user = client.user.getSync();
    if (user === null) throw new Error('nobody is signed in');
    // A host often makes its styles anew for each rendering.
    const menu = () => (
      <Menu {...{ user, warn, styles: { preset: 'modrn' as never } }} manage={null} signOut={vi.fn()} />
    );
    const { rerender } = render(menu());
    rerender(menu());
    await waitFor(() => expect(warn).toHaveBeenCalled());
    rerender(menu());
    expect(warn.mock.calls).toEqual([[expect.stringContaining('Did you mean modern?')]]);
  });

  soakIt('opens the account page in a dialog, unless the host has its own', async () => {
    const { button } = await show();
    fireEvent.click(button);
    fireEvent.click(screen.getByText('Manage account'));
    const dialog = await screen.findByRole('dialog', { name: 'Manage account' });
    await waitFor(() => expect(dialog.querySelector('[data-screen=Account]')).not.toBe(null));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  });

  it('signs out, and shows a message when that did not work', async () => {
    const { world, button } = await show();
    fireEvent.click(button);
    const revoked = vi.fn().mockReturnValueOnce(new Error('offline')).mockReturnValue({});
    world.transport.answer(sessions.revoke, revoked);
    await act(async () => fireEvent.click(screen.getByText('Sign out')));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('You are still signed in.'));
    fireEvent.click(screen.getByText('Sign out'));
    await waitFor(() => expect(screen.queryByRole('button')).toBe(null));
  });

  it('speaks the asked language in its direction', async () => {
    const opened = open();
    await opened.world.signIn(opened.client, ADA);
    render(under(opened.client, <UserButton language="ar" />));
    const button = await screen.findByRole('button', { name: `قائمة حساب ${ADA}` });
    expect(button.closest('[data-portico]')?.getAttribute('dir')).toBe('rtl');
  });

  it('has its styles, also where its texts arrive later, and in each root into which the page puts it', async () => {
    const opened = open();
    await opened.world.signIn(opened.client, ADA);
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const container = document.createElement('div');
    render(under(opened.client, <UserButton language="pt" />), { container });
    await within(container).findByRole('button');
    const before = document.adoptedStyleSheets.length;
    document.body.append(container);
    expect(document.adoptedStyleSheets.length).toBeGreaterThan(before);
    root.append(container);
    expect(document.adoptedStyleSheets).toHaveLength(before);
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
    root.host.remove();
  });
});
