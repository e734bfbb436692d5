import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessions } from '#application/api/index.ts';
import {
  PorticoProvider,
  RequireRole,
  SignedIn,
  SignedOut,
  SignOutButton,
  useClient,
  useIsAuthorized,
  UserButton,
  useSession,
  useSignOut,
  useUser,
  type InitialState,
} from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import type { Session } from '#domain/sessions/session.ts';
import '#presentation/parts/user-button/UserButton.tsx';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoUIClient[] = [];
let world: TestWorld;
let root: Root | undefined;

beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
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

describe('a server’s HTML, which React takes over', () => {
  function OwnButton() {
    const client = useClient();
    const { session } = useSession();
    if (client === null || session === null) return null;
    return <button type="button">Bye</button>;
  }
  function Everything() {
    const { user } = useUser();
    const { isAuthorized, isInitialized } = useIsAuthorized('documents', 'read');
    const { isReady, isPending, error } = useSignOut();
    return <p>{JSON.stringify([user?.emails[0], isAuthorized, isInitialized, isReady, isPending, error])}</p>;
  }
  const parts: readonly (readonly [string, ReactNode])[] = [
    ['a component that reads useClient', <OwnButton key={1} />],
    ['all other hooks', <Everything key={2} />],
    ['SignOutButton', <SignOutButton key={3} />],
    ['UserButton', <UserButton key={4} />],
    ['SignedIn', <SignedIn key={5}>in</SignedIn>],
    ['SignedOut', <SignedOut key={6}>out</SignedOut>],
    // oxlint-disable-next-line jsx-a11y/aria-role -- a role of the project
    ['RequireRole', <RequireRole key={7} role="admin" fallback="no admin" />],
  ];
  const knowledge = ['nothing', 'nobody', 'the session', 'the session and user'] as const;

  it.each(
    parts.flatMap(([name, part]) =>
      knowledge.flatMap((known) => [true, false].map((isIn) => [name, known, isIn, part] as const)),
    ),
  )(
    'is the same as the first rendering in the browser: %s, the server knows %s, signed in here: %s',
    async (_name, known, isIn, part) => {
      const client = await openSignedIn();
      const { session, user } = stateOf(client);
      const initial = {
        nothing: undefined,
        nobody: null,
        'the session': { session, user: null },
        'the session and user': { session, user },
      }[known];
      if (!isIn) await client.session.revoke();
      const complaints: unknown[] = [];
      vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
      const place = document.createElement('div');
      place.innerHTML = renderToString(under(null, part, initial));
      root = await act(async () =>
        hydrateRoot(place, under(client, part, initial), { onRecoverableError: (error) => complaints.push(error) }),
      );
      await act(() => world.settle());
      expect(complaints).toEqual([]);
    },
  );

  it('has the button, which cannot be pressed until it works', async () => {
    const client = await openSignedIn();
    const initial = stateOf(client);
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = renderToString(under(null, <SignOutButton />, initial));
    expect(place.innerHTML).toBe('<button lang="en" dir="ltr" type="button" disabled="">Sign out</button>');
    const before = button();
    root = await act(async () => hydrateRoot(place, under(client, <SignOutButton />, initial)));
    expect(button()).toBe(before);
    expect(button()?.disabled).toBe(false);
    await act(async () => button()?.click());
    await waitFor(() => expect(button()).toBe(null));
    expect(client.session.getSync()).toBe(null);
  });

  it('is given up by a sign-out with the cookies alone, while the server had not confirmed the user', async () => {
    const known = stateOf(await openSignedIn());
    world.storage.clear();
    const authenticate = vi.fn(() => new TypeError('offline'));
    world.transport.answer(sessions.authenticate, authenticate);
    render(under(open(), <SignOutButton />, known));
    await act(() => world.settle());
    expect(authenticate).toHaveBeenCalled();
    await act(async () => button()?.click());
    await waitFor(() => expect(button()).toBe(null));
  });
});
