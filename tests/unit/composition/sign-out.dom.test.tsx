import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { PorticoProvider, SignOutButton, useSignOut, type InitialState } from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import type { Session } from '#domain/sessions/session.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import '#presentation/messages/ar/account.ts';
import '#presentation/messages/de/account.ts';
import '#presentation/parts/user-button/sign-out-texts.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoUIClient[] = [];
let world: TestWorld;

beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => {
  cleanup();
  for (const client of clients.splice(0)) client.destroy();
});

function open(): PorticoUIClient {
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  clients.push(client);
  return client;
}

async function openSignedIn(): Promise<PorticoUIClient> {
  const client = open();
  await world.signIn(client);
  return client;
}

const stateOf = (client: PorticoUIClient): InitialState => ({
  session: client.session.getSync() as Session,
  user: client.user.getSync(),
});

const under = (client: PorticoUIClient | null, children: ReactNode, initial?: InitialState | null) => (
  <StrictMode>
    <PorticoProvider client={client} initial={initial}>
      {children}
    </PorticoProvider>
  </StrictMode>
);

const button = () => screen.queryByRole<HTMLButtonElement>('button');
const pressed = () => world.transport.requestsTo(sessions.revoke);

describe('<SignOutButton>', () => {
  it('shows nothing while nobody is signed in', async () => {
    const client = open();
    render(under(client, <SignOutButton />));
    expect(button()).toBe(null);
    await act(() => world.signIn(client));
    expect(button()?.textContent).toBe('Sign out');
  });

  it('signs out in all tabs, and tells only the page in which it was pressed', async () => {
    const [here, there] = [await openSignedIn(), open()];
    const [toldHere, toldThere] = [vi.fn(), vi.fn()];
    render(under(there, <SignOutButton onSignedOut={toldThere}>there</SignOutButton>));
    render(under(here, <SignOutButton onSignedOut={toldHere}>here</SignOutButton>));
    await act(async () => screen.getByText('here').click());
    await waitFor(() => expect(button()).toBe(null));
    expect([here.session.getSync(), there.session.getSync()]).toEqual([null, null]);
    expect([toldHere.mock.calls, toldThere.mock.calls]).toEqual([[[]], []]);
  });

  it('keeps the focus while it runs, and does so once', async () => {
    render(under(await openSignedIn(), <SignOutButton />));
    let answer = (_reply: object): void => undefined;
    world.transport.answer(sessions.revoke, () => new Promise<object>((resolve) => void (answer = resolve)));
    button()?.focus();
    await act(async () => button()?.click());
    expect(button()?.getAttribute('aria-disabled')).toBe('true');
    expect(button()?.getAttribute('aria-busy')).toBe('true');
    expect(button()?.disabled).toBe(false);
    expect(document.activeElement).toBe(button());
    await act(async () => button()?.click());
    await waitFor(() => expect(pressed()).toHaveLength(1));
    await act(async () => answer({}));
    await waitFor(() => expect(button()).toBe(null));
    expect(pressed()).toHaveLength(1);
  });

  it('says that it failed, can be pressed again, and forgets the failure with the session', async () => {
    const client = await openSignedIn();
    const told = vi.fn();
    const revoked = vi.fn().mockReturnValue(new TypeError('offline'));
    world.transport.answer(sessions.revoke, revoked);
    render(under(client, <SignOutButton onSignedOut={told} />));
    button()?.focus();
    await act(async () => button()?.click());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('You are still signed in.'));
    expect([button()?.getAttribute('aria-disabled'), button()?.getAttribute('aria-busy')]).toEqual([null, null]);
    expect(document.activeElement).toBe(button());
    expect(told).not.toHaveBeenCalled();
    await act(() => client.session.revoke({ forceClear: true }).catch(() => undefined));
    expect(button()).toBe(null);
    revoked.mockReturnValue({});
    await act(() => world.signIn(client));
    expect(screen.queryByRole('alert')).toBe(null);
    await act(async () => button()?.click());
    await waitFor(() => expect(told).toHaveBeenCalledOnce());
  });

  it('counts a session that has ended elsewhere as signed out', async () => {
    const told = vi.fn();
    world.transport.answer(sessions.revoke, () => errorReply(404, 'session_not_found'));
    render(under(await openSignedIn(), <SignOutButton onSignedOut={told} />));
    await act(async () => button()?.click());
    await waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect(button()).toBe(null);
  });

  it('signs out here without a network where the page says so', async () => {
    const told = vi.fn();
    world.transport.answer(sessions.revoke, () => new TypeError('offline'));
    render(under(await openSignedIn(), <SignOutButton forceClear onSignedOut={told} />));
    await act(async () => button()?.click());
    await waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect(button()).toBe(null);
  });

  it('is pressed once while it runs, also for the page', async () => {
    const heard = vi.fn();
    world.transport.answer(sessions.revoke, () => new Promise<object>(() => undefined));
    render(under(await openSignedIn(), <SignOutButton onClick={heard} />));
    for (let times = 0; times < 3; times += 1) await act(async () => button()?.click());
    expect(heard).toHaveBeenCalledOnce();
  });

  it('forgets a failure when another session takes the place of the one that could not be ended', async () => {
    const client = await openSignedIn();
    world.transport.answer(sessions.revoke, () => new TypeError('offline'));
    render(under(client, <SignOutButton />));
    await act(async () => button()?.click());
    await waitFor(() => screen.getByRole('alert'));
    await act(() => world.signIn(client, 'other@example.com'));
    expect(client.user.getSync()?.emails[0]?.email).toBe('other@example.com');
    expect(screen.queryByRole('alert')).toBe(null);
  });

  it('is disabled in the HTML of a server, and where the page says so', async () => {
    const client = await openSignedIn();
    expect(renderToString(under(null, <SignOutButton />, stateOf(client)))).toContain('disabled=""');
    render(under(client, <SignOutButton disabled />));
    expect(button()?.disabled).toBe(true);
  });

  it('is gone after it, although the HTML of the server had a session', async () => {
    const client = await openSignedIn();
    const initial = stateOf(client);
    world.transport.answer(sessions.revoke, () => errorReply(404, 'session_not_found'));
    render(under(client, <SignOutButton />, initial));
    await act(async () => button()?.click());
    await waitFor(() => expect(button()).toBe(null));
  });

  it('shows its own words in place of those of the page that are no text', async () => {
    const strings = { 'user.signOut': 7, 'user.failed': {} } as never;
    world.transport.answer(sessions.revoke, () => new TypeError('offline'));
    render(under(await openSignedIn(), <SignOutButton strings={strings} />));
    expect(button()?.textContent).toBe('Sign out');
    await act(async () => button()?.click());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('You are still signed in.'));
  });

  it('is a button with the attributes of the page, which may ask before, and submits no form', async () => {
    const submitted = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
    const asked = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
    const attributes = { className: 'link', id: 'bye', 'aria-describedby': 'hint', onClick: asked };
    render(
      <form onSubmit={submitted}>
        {under(await openSignedIn(), <SignOutButton {...attributes} {...({ type: 'submit' } as object)} />)}
      </form>,
    );
    expect(button()).toMatchObject({ className: 'link', id: 'bye', type: 'button' });
    await act(async () => button()?.click());
    expect(asked).toHaveBeenCalledOnce();
    expect([submitted.mock.calls, pressed()]).toEqual([[], []]);
  });

  it('takes its words from the page, and of its own language otherwise', async () => {
    const client = await openSignedIn();
    world.transport.answer(sessions.revoke, () => new TypeError('offline'));
    const view = render(
      under(client, <SignOutButton strings={{ 'user.signOut': 'Bye', 'user.failed': 'Still here' }} />),
    );
    expect([button()?.textContent, button()?.lang]).toEqual(['Bye', '']);
    await act(async () => button()?.click());
    await waitFor(() => expect(screen.getByRole('alert').outerHTML).toBe('<span role="alert">Still here</span>'));
    view.rerender(under(client, <SignOutButton language="de" />));
    await waitFor(() => expect([button()?.textContent, button()?.lang]).toEqual(['Abmelden', 'de']));
    expect(screen.getByRole('alert').lang).toBe('de');
    view.unmount();
    render(under(client, <SignOutButton language="ar" />));
    await waitFor(() => expect([button()?.lang, button()?.dir]).toEqual(['ar', 'rtl']));
  });

  it('shows the children of a server component, which may come as an array of one', async () => {
    const client = await openSignedIn();
    const children = [<b key="words">Bye</b>];
    render(under(client, <SignOutButton>{children}</SignOutButton>));
    expect(button()?.innerHTML).toBe('<b>Bye</b>');
    await act(async () => button()?.click());
    expect(pressed()).toHaveLength(1);
  });

  it('shows no English first where another language is still loading, but words of the page at once', async () => {
    const initial = stateOf(await openSignedIn());
    expect(renderToString(under(null, <SignOutButton language="de" />, initial))).toBe('');
    expect(renderToString(under(null, <SignOutButton language="de">Tschüss</SignOutButton>, initial))).toContain(
      'Tschüss',
    );
  });
});

describe('useSignOut', () => {
  it('gives a button of the page the state, and a failure that a page shows itself', async () => {
    const offline = new TypeError('offline');
    const revoked = vi.fn().mockReturnValueOnce(offline).mockReturnValue({});
    world.transport.answer(sessions.revoke, revoked);
    const results: boolean[] = [];
    function Item() {
      const { signOut, isPending, error } = useSignOut();
      const press = async (): Promise<void> => void results.push(await signOut());
      return (
        <button type="button" onClick={() => void press()}>
          {isPending ? 'leaving' : error === null ? 'leave' : 'failed'}
        </button>
      );
    }
    render(under(await openSignedIn(), <Item />));
    fireEvent.click(screen.getByText('leave'));
    screen.getByText('leaving');
    fireEvent.click(screen.getByText('leaving'));
    await waitFor(() => screen.getByText('failed'));
    expect(results).toEqual([false, false]);
    await act(async () => screen.getByText('failed').click());
    await waitFor(() => expect(results).toEqual([false, false, true]));
    screen.getByText('leave');
  });

  it('resolves with true where the function of the page throws, which the console says', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const fault = new Error('of the page');
    const onSignedOut = (): never => {
      throw fault;
    };
    const results: unknown[] = [];
    const Leave = (): ReactNode => {
      const { signOut, error } = useSignOut({ onSignedOut });
      const press = async (): Promise<void> => void results.push(await signOut());
      return <button type="button" onClick={() => void press()}>{`error: ${String(error)}`}</button>;
    };
    render(under(await openSignedIn(), <Leave />));
    await act(async () => button()?.click());
    await waitFor(() => expect(results).toEqual([true]));
    expect(button()?.textContent).toBe('error: null');
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('onSignedOut threw.'), fault);
  });

  it('fails, and says what is missing, while there is no client', async () => {
    function Item() {
      const { signOut, isReady, error } = useSignOut({ forceClear: true });
      return (
        <button type="button" onClick={() => void signOut()}>
          {`${isReady} ${String(error)}`}
        </button>
      );
    }
    const view = render(under(null, <Item />));
    await act(async () => screen.getByText('false null').click());
    const failed = screen.getByText('false Error: There is no client yet: give <PorticoProvider> a PorticoUIClient.');
    const client = await openSignedIn();
    view.rerender(under(client, <Item />));
    await act(async () => failed.click());
    await waitFor(() => expect(client.session.getSync()).toBe(null));
  });
});
