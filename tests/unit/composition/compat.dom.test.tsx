import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StytchHeadlessClient } from 'portico/compat/headless';
import { StytchPasskeyRegistration as PasskeyElement } from 'portico/compat/vanilla';
import {
  createStytchClient,
  mountLogin,
  StytchLogin,
  StytchProvider,
  StytchUI,
  useStytch,
  useStytchSession,
  useStytchUser,
  withStytch,
  withStytchPermissions,
  withStytchUser,
  type StytchClient,
  type StytchEvent,
  type StytchUIClient,
} from 'portico/compat';
import { TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';
const CONFIG = { products: ['emailMagicLinks'] } as const;
let world: TestWorld;
const clients: StytchUIClient[] = [];

function open(): StytchUIClient {
  const client = createStytchClient(TOKEN, { adapters: world.tab(), telemetry: false });
  clients.push(client);
  return client;
}
const signIn = (client: StytchUIClient) => world.signIn(client as never, ADA);

beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => {
  cleanup();
  for (const client of clients.splice(0)) client.destroy();
  document.body.replaceChildren();
});

describe('the hooks and wrappers', () => {
  it('follow who is signed in', async () => {
    const client = open();
    const Hooked = () => {
      const { user, isInitialized } = useStytchUser();
      const { session } = useStytchSession();
      return <p>{`${isInitialized} ${user?.emails[0]?.email ?? 'nobody'} ${session === null ? 'out' : 'in'}`}</p>;
    };
    const Named = withStytchUser<{ greeting: string }>(({ greeting, stytchUser, stytchUserIsInitialized }) => (
      <i>{`${greeting} ${stytchUser?.emails[0]?.email ?? 'nobody'} ${stytchUserIsInitialized}`}</i>
    ));
    const Given = withStytch(({ stytch }) => <b>{String(stytch === (client as unknown))}</b>);
    render(
      <StytchProvider stytch={client}>
        <Hooked />
        <Named greeting="Hello" />
        <Given />
      </StytchProvider>,
    );
    screen.getByText('true nobody out');
    screen.getByText('true');
    await act(() => signIn(client));
    screen.getByText(`true ${ADA} in`);
    screen.getByText(`Hello ${ADA} true`);
    expect(Named.displayName).toMatch(/^withStytchUser\(/u);
  });

  it('give the permissions of who is signed in, once they are known', async () => {
    world.server.project['rbac_policy'] = {
      roles: [{ role_id: 'member', permissions: [{ resource_id: 'documents', actions: ['read'] }] }],
      resources: [{ resource_id: 'documents', actions: ['read', 'write'] }],
      scopes: [],
    };
    world.server.settings.roleAssignments = [{ email: ADA, roles: ['member'] }];
    const client = open();
    const May = withStytchPermissions<{ documents: 'read' | 'write' }, object>(({ stytchPermissions }) => (
      <p>{JSON.stringify(stytchPermissions)}</p>
    ));
    render(
      <StytchProvider stytch={client}>
        <May />
      </StytchProvider>,
    );
    await act(() => world.settle());
    screen.getByText('{"documents":{"read":false,"write":false}}');
    await act(() => signIn(client));
    await screen.findByText('{"documents":{"read":true,"write":false}}');
  });

  it('need one provider, and no more', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const Bare = () => <p>{typeof useStytch()}</p>;
    expect(() => render(<Bare />)).toThrow('useStytch can only be used inside <StytchProvider>.');
    const client = open();
    expect(() =>
      render(
        <StytchProvider stytch={client}>
          <StytchProvider stytch={client} />
        </StytchProvider>,
      ),
    ).toThrow(/cannot stand inside another/u);
  });
});

describe('the widgets', () => {
  it('take the looks and strings of 5.x and of 6.x', async () => {
    const client = open();
    const styles = { container: { width: '500px' }, colors: { primary: '#102030', accent: '#abcdef' } };
    const theme = { primary: '#ff00f7', background: '#fdfdfd', 'container-width': '510px' };
    render(
      <StytchProvider stytch={client}>
        <StytchLogin config={CONFIG} styles={styles} strings={{ 'login.title': 'Five' }} />
        <StytchLogin
          config={CONFIG}
          presentation={{ theme, options: { hideHeaderText: false } }}
          strings={{ 'login.title': 'Six' }}
        />
      </StytchProvider>,
    );
    await screen.findByRole('heading', { name: 'Five' });
    await screen.findByRole('heading', { name: 'Six' });
    const [five, six] = [...document.querySelectorAll<HTMLElement>('[style]')].map((one) => one.style);
    expect(five?.getPropertyValue('--portico-container-width')).toBe('500px');
    expect(six?.getPropertyValue('--portico-container-width')).toBe('510px');
    expect(six?.getPropertyValue('--portico-buttons-primary-background-color')).toBe('#ff00f7');
  });

  it('show in a web component, which tells their events and takes them away with it', async () => {
    const client = open();
    customElements.define('test-login', StytchUI);
    const element = document.createElement('test-login') as InstanceType<typeof StytchUI>;
    const told: string[] = [];
    element.addEventListener('stytch-event', (event) => {
      told.push((event as Event & { readonly stytchEventType: string }).stytchEventType);
    });
    const heard: StytchEvent[] = [];
    const callbacks = { onEvent: (event: StytchEvent) => void heard.push(event) };
    document.body.append(element);
    element.render({ client, config: CONFIG, callbacks, strings: { 'login.title': 'Element' } });
    await screen.findByRole('heading', { name: 'Element' });
    const field = screen.getByRole<HTMLInputElement>('textbox');
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, ADA);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.form?.requestSubmit();
      await world.settle();
    });
    await waitFor(() => expect(told).toEqual(['MAGIC_LINK_LOGIN_OR_CREATE']));
    expect(heard.map(({ type }) => type)).toEqual(told);
    element.remove();
    await waitFor(() => expect(element.childElementCount).toBe(0));

    const place = document.createElement('div');
    document.body.append(place);
    const root = place.attachShadow({ mode: 'open' });
    root.append(element);
    await waitFor(() => expect(root.adoptedStyleSheets.length).toBeGreaterThan(0));
    element.remove();
    await waitFor(() => expect(root.adoptedStyleSheets).toEqual([]));
    expect(PasskeyElement).not.toBe(StytchUI);
  });

  it('say so where the client has none', () => {
    const bare = new StytchHeadlessClient(TOKEN, { adapters: world.tab(), telemetry: false });
    document.body.innerHTML = '<div id="place"></div>';
    expect(() => mountLogin({ client: bare, elementId: '#place', config: CONFIG })).toThrow(/has no widgets/u);
    (bare as unknown as StytchClient).destroy();
  });
});

describe('a client', () => {
  it('has both halves of its state, and recognizes a login in an address', async () => {
    const client = open();
    const states: (string | undefined)[] = [];
    const end = client.onStateChange(({ user, session }) => {
      states.push(`${user?.emails[0]?.email ?? 'nobody'} ${session === undefined ? 'out' : 'in'}`);
    });
    await signIn(client);
    await client.session.authenticate();
    await client.session.revoke();
    expect(states).toEqual([`${ADA} in`, 'nobody out']);
    end();
    const at = (query: string) => client.parseAuthenticateUrl(`https://app.example/?${query}`);
    expect(at('stytch_token_type=oauth&token=t')).toEqual({ handled: true, tokenType: 'oauth', token: 't' });
    expect(at('stytch_token_type=sso&token=t')).toEqual({ handled: false, tokenType: 'sso', token: 't' });
    expect([at('token=t'), at('stytch_token_type=oauth'), at('')]).toEqual([null, null, null]);
    expect(await client.authenticateByUrl({ session_duration_minutes: 5 }, 'https://app.example/')).toBeNull();
    await expect(client.authenticateByUrl({} as never)).rejects.toThrow(/session_duration_minutes must be a number/u);
  });
});
