import { fireEvent, screen, waitFor } from '@testing-library/react';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PorticoClient } from '#composition/client.ts';
import type { PorticoUIClient } from '#composition/ui-client.ts';
import type { Ports } from '#application/ports/index.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { TestWorld } from '../application/world.ts';
import { exampleNamed } from './examples.ts';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-page-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The package as the samples get it: their client is a tab of the test's browser. */
writeFileSync(
  join(dir, 'portico.ts'),
  `import { PorticoUIClient as Client } from 'portico';
   let adapters;
   export const opened = [];
   export const openIn = (tab) => void (adapters = tab);
   export class PorticoUIClient extends Client {
     constructor(token, options) {
       super(token, { ...options, adapters, telemetry: false });
       opened.push(this);
     }
   }`,
);
const own = (await import(/* @vite-ignore */ join(dir, 'portico.ts'))) as {
  readonly opened: PorticoUIClient[];
  readonly openIn: (tab: Ports) => void;
};

let loads = 0;

/** What a sample exports, loaded anew; its clients of the widgets are tabs of the test's browser. */
async function load<Exports>(sample: string): Promise<Exports> {
  const file = join(dir, `${(loads += 1)}-${sample}`);
  writeFileSync(file, exampleNamed(sample).source.replaceAll(/ from 'portico';/gu, " from './portico.ts';"));
  return (await import(/* @vite-ignore */ file)) as Exports;
}

let world: TestWorld;
const clients: PorticoClient[] = [];

beforeEach(() => {
  world = new TestWorld();
  own.openIn(world.tab());
});
afterEach(() => {
  vi.useRealTimers();
  for (const client of [...clients.splice(0), ...own.opened.splice(0)]) client.destroy();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

describe('the form for passcodes', () => {
  const enter = (label: string, value: string): void => {
    const input = screen.getByLabelText<HTMLInputElement>(label);
    fireEvent.input(input, { target: { value } });
    fireEvent.submit(input.form as HTMLFormElement);
  };

  /** The form with a code sent. */
  async function open() {
    const { passcodeForm } = await load<{
      passcodeForm(client: PorticoClient, page: ParentNode, onLogin: (reply: { readonly mfa?: object }) => void): void;
    }>('passcode-form.ts');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    document.body.innerHTML = exampleNamed('passcode-form.html').source;
    const { client } = world.open();
    clients.push(client);
    const onLogin = vi.fn<(reply: { readonly mfa?: object }) => void>();
    passcodeForm(client, document, onLogin);
    enter('Email', 'ada@example.com');
    await shows('A code was sent to ada@example.com.');
    return { client, onLogin };
  }

  const shows = async (text: string): Promise<void> => {
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe(text));
  };
  const newest = (): string => world.server.inbox[0]?.code ?? '';
  const wrong = (): string => (newest() === '000000' ? '000001' : '000000');

  it('logs in, and hands over the reply', async () => {
    const { client, onLogin } = await open();
    enter('Code', wrong());
    await shows('This is not the code. Try again.');
    enter('Code', newest());
    await vi.waitFor(() => expect(onLogin).toHaveBeenCalled());
    expect(onLogin.mock.calls[0]?.[0].mfa).toBeUndefined();
    expect(client.session.getSync()).not.toBeNull();
  });

  it('sends again after 20 s', async () => {
    await open();
    const again = screen.getByRole<HTMLButtonElement>('button', { name: 'Send again' });
    // Each wait for a text moves the time by some milliseconds, too.
    vi.advanceTimersByTime(15_000);
    expect(again.disabled).toBe(true);
    vi.advanceTimersByTime(5_000);
    expect(again.disabled).toBe(false);
    fireEvent.click(again);
    await vi.waitFor(() => expect(world.server.inbox).toHaveLength(2));
  });

  it('says that there were too many tries, and that a code has expired', async () => {
    await open();
    for (const _ of [1, 2, 3, 4]) {
      enter('Code', wrong());
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does
      await shows('This is not the code. Try again.');
    }
    enter('Code', wrong());
    await shows('There were too many tries. Send another code.');
    await world.clock.advance(6 * 60_000);
    enter('Code', newest());
    await shows('This code is no longer valid. Send another one.');
  });
});

it('a client in memory leaves nothing in the browser', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now() });
  vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('offline'));
  const { client: unused, inMemory } = await load<{
    readonly client: PorticoClient;
    readonly inMemory: Pick<Ports, 'storage' | 'tabStorage' | 'cookies' | 'outbox'>;
  }>('memory-session.ts');
  clients.push(unused);
  const { client } = world.open({ adapters: inMemory as Partial<ReturnType<TestWorld['tab']>> });
  clients.push(client);
  await world.signIn(client);
  expect(client.session.getTokens()?.session_token).toBeTruthy();
  expect([localStorage.length, sessionStorage.length, document.cookie]).toEqual([0, 0, '']);
  expect([...world.storage.values.keys(), ...world.jar.cookies]).toEqual([]);

  const { client: reloaded } = world.open();
  clients.push(reloaded);
  expect(reloaded.session.getSync()).toBeNull();
});

it('the page about adapters shows the ports as they are', () => {
  const page = readFileSync(join(ROOT, 'docs/writing-an-adapter.md'), 'utf8');
  for (const [file, name] of [
    ['storage', 'StoragePort'],
    ['cookies', 'CookiesPort'],
  ] as const) {
    const source = readFileSync(join(ROOT, `src/application/ports/${file}.port.ts`), 'utf8');
    expect(page).toContain(source.slice(source.indexOf(`export interface ${name} {`)).trim());
  }
});

it('the dark switch changes the scheme of the login', async () => {
  document.body.innerHTML = '<div id="login"></div>';
  const { showLogin } = await load<{ showLogin(isDark: boolean): void }>('dark-switch.ts');
  const scheme = (): string | undefined =>
    document.querySelector('[data-portico-scheme]')?.getAttribute('data-portico-scheme') ?? undefined;
  showLogin(false);
  await waitFor(() => expect(scheme()).toBe('light'));
  showLogin(true);
  await waitFor(() => expect(scheme()).toBe('dark'));
});

describe('the step-up', () => {
  const PROOF = { factors: ['totp'], reason: 'too-old' };
  type Call = (path: string, leave?: AbortSignal) => Promise<Response>;

  /** @param refusal the body of the 403 that the server replies first */
  async function open(refusal: object) {
    document.body.innerHTML = '<div id="login"></div>';
    const { call } = await load<{ readonly call: Call }>('step-up-page.ts');
    const client = own.opened.at(-1) as PorticoUIClient;
    const unmount = vi.fn<() => void>();
    const mount = vi
      .spyOn(client, 'mountLogin')
      .mockReturnValue({ unmount } as unknown as ReturnType<PorticoUIClient['mountLogin']>);
    vi.spyOn(window, 'fetch')
      .mockResolvedValueOnce(Response.json(refusal, { status: 403 }))
      .mockResolvedValue(Response.json({ sent: true }));
    return { call, mount, unmount };
  }

  it.each([
    [{ error: 'forbidden', lacks: { roles: ['admin'] } }],
    [{ error: 'forbidden', lacks: { bound: true } }],
    [{ error: 'cross_origin', header: 'origin' }],
  ])('returns a refusal that no login changes: %j', async (refusal) => {
    const { call, mount } = await open(refusal);
    const reply = await call('/transfer');
    expect([reply.status, await reply.json(), mount.mock.calls]).toEqual([403, refusal, []]);
  });

  it('calls again after the proof', async () => {
    const { call, mount, unmount } = await open({ error: 'forbidden', lacks: PROOF });
    const reply = call('/transfer');
    await vi.waitFor(() => expect(mount).toHaveBeenCalled());
    const { config, callbacks } = mount.mock.calls[0]?.[0] ?? {};
    expect(config?.stepUp).toEqual(PROOF);
    callbacks?.onEvent?.({ type: 'AUTHENTICATE_FLOW_COMPLETE', data: {} });
    expect([await (await reply).json(), unmount.mock.calls.length]).toEqual([{ sent: true }, 1]);
  });

  it('returns the refusal when the user leaves', async () => {
    const { call, mount, unmount } = await open({ error: 'forbidden', lacks: PROOF });
    const leave = new AbortController();
    const reply = call('/transfer', leave.signal);
    await vi.waitFor(() => expect(mount).toHaveBeenCalled());
    leave.abort();
    expect([(await reply).status, unmount.mock.calls.length]).toEqual([403, 1]);
  });
});

// The test of the page declares its own tests here.
describe('the component test of the page about testing', async () => {
  writeFileSync(join(dir, 'signed-in-as.tsx'), exampleNamed('signed-in-as.tsx').source);
  await load('greeting.test.tsx');
});
