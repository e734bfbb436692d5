import { StrictMode, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WidgetHandle } from '#composition/mount.tsx';
import { Login, PorticoProvider, useSession, useUser } from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { User } from '#domain/users/user.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';
const CONFIG = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
await loadPart('login');

// The host's pages are rendered as in a browser: React decides when.
const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
const before = environment.IS_REACT_ACT_ENVIRONMENT;
beforeAll(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = false;
});
afterAll(() => {
  Object.assign(environment, { IS_REACT_ACT_ENVIRONMENT: before });
});

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
  document.body.replaceChildren();
});

interface Page {
  readonly client: PorticoUIClient;
  readonly onEvent: (event: HostEvent) => void;
}

function onPage(children: ReactNode): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(children);
  ended.push(() => root.unmount());
}

const Welcome = () => <p>Welcome</p>;

/** The pattern of the documentation. */
function ByHook({ onEvent }: Pick<Page, 'onEvent'>) {
  const { user } = useUser();
  return user === null ? <Login config={CONFIG} callbacks={{ onEvent }} /> : <Welcome />;
}

function BySession({ onEvent }: Pick<Page, 'onEvent'>) {
  const { session } = useSession();
  return session ? <Welcome /> : <Login config={CONFIG} callbacks={{ onEvent }} />;
}

function ByState({ client, onEvent }: Page) {
  const [user, setUser] = useState<User | null>(client.user.getSync());
  useEffect(() => client.user.onChange(setUser), [client]);
  return user === null ? <Login client={client} config={CONFIG} callbacks={{ onEvent }} /> : <Welcome />;
}

function ByEvent({ client, onEvent }: Page) {
  const [done, setDone] = useState(false);
  const told = (event: HostEvent): void => {
    onEvent(event);
    if (event.type === 'OTP_AUTHENTICATE') setDone(true);
  };
  return done ? <Welcome /> : <Login client={client} config={CONFIG} callbacks={{ onEvent: told }} />;
}

function mounted({ client, onEvent }: Page, leave: (handle: WidgetHandle) => void = () => undefined): WidgetHandle {
  document.body.append(Object.assign(document.createElement('div'), { id: 'login' }));
  const handle: WidgetHandle = client.mountLogin({
    elementId: '#login',
    config: CONFIG,
    callbacks: {
      onEvent: (event) => {
        onEvent(event);
        if (event.type !== 'OTP_LOGIN_OR_CREATE') leave(handle);
      },
    },
  });
  return handle;
}

const HOSTS: Readonly<Record<string, (page: Page) => void>> = {
  'shows its own page by the hook for the user': ({ client, onEvent }) =>
    onPage(<PorticoProvider client={client}>{<ByHook onEvent={onEvent} />}</PorticoProvider>),
  'does so under StrictMode': ({ client, onEvent }) =>
    onPage(
      <StrictMode>
        <PorticoProvider client={client}>{<ByHook onEvent={onEvent} />}</PorticoProvider>
      </StrictMode>,
    ),
  'shows its own page by the hook for the session': ({ client, onEvent }) =>
    onPage(<PorticoProvider client={client}>{<BySession onEvent={onEvent} />}</PorticoProvider>),
  'keeps the user in a state of its own': (page) => onPage(<ByState {...page} />),
  'shows its own page at the first event': (page) => onPage(<ByEvent {...page} />),
  'unmounts as it hears of the session, having listened first': (page) => {
    let handle: WidgetHandle | null = null;
    page.client.session.onChange((session) => session !== null && handle?.unmount());
    handle = mounted(page);
  },
  'unmounts as it hears of the user, having listened last': (page) => {
    const handle = mounted(page);
    page.client.user.onChange((user) => user !== null && handle.unmount());
  },
  'unmounts in the callback': (page) => void mounted(page, (handle) => handle.unmount()),
  'destroys the client as it hears of the session': (page) => {
    mounted(page);
    page.client.session.onChange((session) => session !== null && page.client.destroy());
  },
  'destroys the client in the callback': (page) => void mounted(page, () => page.client.destroy()),
  'takes the element itself away': (page) => {
    mounted(page);
    page.client.session.onChange(() => document.body.replaceChildren());
  },
};

async function field(selector: string): Promise<HTMLInputElement> {
  return vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>(selector);
    if (found === null) throw new Error(`There is no ${selector} in ${document.body.textContent}`);
    return found;
  });
}

function type(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

describe('the events of a login', () => {
  it.each(Object.entries(HOSTS))('all reach a host that %s', async (_, host) => {
    const world = new TestWorld();
    const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
    ended.push(() => client.destroy());
    const heard: HostEvent[] = [];
    host({ client, onEvent: (event) => void heard.push(event) });
    const email = await field('input[type=email]');
    type(email, ADA);
    await new Promise((done) => void setTimeout(done, 20));
    email.form?.requestSubmit();
    const code = await field('input[autocomplete=one-time-code]');
    type(code, world.server.codeFor(ADA) ?? '');
    await vi.waitFor(() => expect(client.session.getSync()).not.toBeNull());
    await vi.waitFor(() => {
      const types = heard.map((event) => event.type);
      // The first event of all is that of the code that went out.
      const login = types.filter((each) => each !== 'OTP_LOGIN_OR_CREATE');
      expect(login).toEqual(['OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    });
  });
});
