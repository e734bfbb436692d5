import { act, cleanup, render, screen } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { PorticoClient } from '#composition/client.ts';
import {
  Account,
  IdentityProvider,
  Login,
  PasskeyRegistration,
  PasswordReset,
  PorticoProvider,
  RequireRole,
  SignedIn,
  SignedOut,
  useClient,
  useIsAuthorized,
  UserButton,
  useSession,
  useUser,
} from '#composition/react.tsx';
import { TestWorld, TOKEN } from '../application/world.ts';

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

const signIn = ({ world, client }: ReturnType<typeof open>) => world.signIn(client, ADA);

function Who() {
  const { user, isInitialized } = useUser();
  const { session } = useSession();
  return (
    <p>
      {isInitialized ? 'looked' : 'not yet'}, {user?.emails[0]?.email ?? 'nobody'}, {session === null ? 'out' : 'in'}
    </p>
  );
}

const under = (client: PorticoUIClient | null, children: ReactNode) => (
  <StrictMode>
    <PorticoProvider client={client}>{children}</PorticoProvider>
  </StrictMode>
);

describe('the hooks', () => {
  it('follow the session, and send no requests', async () => {
    const opened = open();
    const { world, client } = opened;
    render(
      under(
        client,
        Array.from({ length: 20 }, (_, index) => <Who key={index} />),
      ),
    );
    expect(screen.getAllByText('looked, nobody, out')).toHaveLength(20);
    await act(() => signIn(opened));
    expect(screen.getAllByText(`looked, ${ADA}, in`)).toHaveLength(20);
    const asked = world.transport.requests.length;
    await act(() => client.session.revoke());
    expect(screen.getAllByText('looked, nobody, out')).toHaveLength(20);
    expect(world.transport.requests).toHaveLength(asked + 1);
  });

  it('are empty and unsettled without a client, as on a server', () => {
    render(under(null, <Who />));
    screen.getByText('not yet, nobody, out');
  });

  it('hydrate what a server rendered without a mismatch, whoever is signed in here', async () => {
    const opened = open();
    await signIn(opened);
    const place = document.createElement('div');
    place.innerHTML = renderToString(under(null, <Who />));
    expect(place.textContent).toBe('not yet, nobody, out');
    const complained = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const recovered: unknown[] = [];
    const root = await act(async () =>
      hydrateRoot(place, under(opened.client, <Who />), { onRecoverableError: (error) => recovered.push(error) }),
    );
    expect(place.textContent).toBe(`looked, ${ADA}, in`);
    expect([recovered, complained.mock.calls]).toEqual([[], []]);
    act(() => root.unmount());
  });

  it('know what the roles allow once the policy is there, and follow the user', async () => {
    const world = new TestWorld();
    world.server.project['rbac_policy'] = {
      roles: [{ role_id: 'member', permissions: [{ resource_id: 'documents', actions: ['read'] }] }],
      resources: [{ resource_id: 'documents', actions: ['read', 'write'] }],
      scopes: [],
    };
    world.server.settings.roleAssignments = [{ email: ADA, roles: ['member'] }];
    const opened = open(world);
    const May = ({ action }: { readonly action: string }) => {
      const { isAuthorized, isInitialized } = useIsAuthorized('documents', action);
      return <p>{`${action}: ${isInitialized ? String(isAuthorized) : '?'}`}</p>;
    };
    render(under(opened.client, [<May key="r" action="read" />, <May key="w" action="write" />]));
    screen.getByText('read: ?');
    await act(() => world.settle());
    screen.getByText('read: false');
    await act(() => signIn(opened));
    screen.getByText('read: true');
    screen.getByText('write: false');
  });

  it('give the client itself', () => {
    const { client } = open();
    const seen: unknown[] = [];
    const See = () => {
      seen.push(useClient());
      return null;
    };
    render(under(client, <See />));
    expect(new Set(seen)).toEqual(new Set([client]));
  });
});

describe('the components', () => {
  const config = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;

  it('mount the widget once under StrictMode, show it anew, and take it away', async () => {
    const { client } = open();
    const mounted = vi.spyOn(client, 'mountLogin');
    const view = render(under(client, <Login config={config} />));
    await act(() => Promise.resolve());
    expect(view.container.querySelectorAll('[data-portico]')).toHaveLength(1);
    view.rerender(under(client, <Login config={config} styles={{ hideHeaderText: true }} />));
    await act(() => Promise.resolve());
    expect(view.container.querySelectorAll('[data-portico]')).toHaveLength(1);
    expect(view.container.querySelector('h1')).toBeNull();
    view.unmount();
    await act(() => Promise.resolve());
    expect(document.querySelector('[data-portico]')).toBeNull();
    expect(mounted.mock.calls.length).toBeGreaterThan(1);
  });

  it('take the provider’s client, or their own, and show nothing while that is null', async () => {
    const { client } = open();
    const view = render(under(null, <Login config={config} />));
    expect(view.container.querySelector('[data-portico]')).toBeNull();
    view.rerender(<Login config={config} client={null} />);
    expect(view.container.querySelector('[data-portico]')).toBeNull();
    view.rerender(<Login config={config} client={client} />);
    await act(() => Promise.resolve());
    expect(view.container.querySelectorAll('[data-portico]')).toHaveLength(1);
  });
});

describe('a page without a client', () => {
  const NO_PROVIDER = 'This hook or component needs a client: put it inside <PorticoProvider client={client}>.';
  const Hooks = ({ use }: { readonly use: () => unknown }) => {
    use();
    return null;
  };
  const parts: [string, ReactNode][] = [
    ['useClient', <Hooks key={1} use={useClient} />],
    ['useUser', <Hooks key={2} use={useUser} />],
    ['useSession', <Hooks key={3} use={useSession} />],
    ['useIsAuthorized', <Hooks key={4} use={() => useIsAuthorized('documents', 'read')} />],
    ['SignedIn', <SignedIn key={5} />],
    ['SignedOut', <SignedOut key={6} />],
    ['RequireRole', <RequireRole key={7} role="editor" />],
    ['UserButton', <UserButton key={8} />],
    ['Login', <Login key={9} />],
    ['Account', <Account key={10} />],
    ['PasswordReset', <PasswordReset key={11} />],
    ['PasskeyRegistration', <PasskeyRegistration key={12} />],
    ['IdentityProvider', <IdentityProvider key={13} />],
  ];

  it.each(parts)('throws for %s outside a provider, in a browser and on a server', (_name, part) => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(() => render(part)).toThrow(NO_PROVIDER);
    expect(() => renderToString(part)).toThrow(NO_PROVIDER);
    silent.mockRestore();
  });

  it('throws for a provider whose client is undefined', () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const client = undefined as never;
    expect(() => render(<PorticoProvider client={client}>text</PorticoProvider>)).toThrow(
      '<PorticoProvider> needs a client: give it a PorticoUIClient, or null on a server.',
    );
    silent.mockRestore();
  });

  it('throws for a widget with a client that has none', () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { world } = open();
    const client = new PorticoClient(TOKEN, { adapters: world.tab(), telemetry: false });
    const page = (
      <PorticoProvider client={client}>
        <Login />
      </PorticoProvider>
    );
    expect(() => render(page)).toThrow('A widget needs a PorticoUIClient of portico');
    client.destroy();
    silent.mockRestore();
  });
});
