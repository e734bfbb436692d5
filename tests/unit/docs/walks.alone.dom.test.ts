import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { consentWorld, REQUEST } from '../application/consent/open-consent.ts';
import { TOKEN, type TestWorld } from '../application/world.ts';
import '../lazy-code.ts';
import { filesRun } from './files-run.ts';
import { faultsOf, walkOf } from './walks.ts';
import { soakIt } from '../../soak-tests.ts';

const clients: PorticoUIClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  localStorage.clear();
});

/** A client on the adapters of a browser, but for the clock and the address bar; the server is in memory. */
function open(world: TestWorld, href = 'http://localhost:3000/'): PorticoUIClient {
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const body = typeof init?.body === 'string' ? init.body : input instanceof Request ? await input.text() : null;
    const sent = { method: method as 'GET' | 'POST', url, headers: Object.fromEntries(headers), body };
    const { text, ...reply } = await world.transport.send(sent);
    return new Response(text, reply);
  });
  const { clock, browser } = world.tab(href);
  const client = new PorticoUIClient(TOKEN, { adapters: { clock, browser }, telemetry: false });
  clients.push(client);
  document.body.append(Object.assign(document.createElement('div'), { id: 'place' }));
  return client;
}

/** The rules run in the server in memory, not in the client. */
const clientFilesRun = async (act: () => unknown, follow = true): Promise<readonly string[]> =>
  (await filesRun(act, follow)).filter((name) => !/^(?:src\/domain\/rules|server-rules)\//u.test(name));

const CONFIG = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;

it('the walk from mounting to the first paint', async () => {
  const client = open(consentWorld());
  const ran = await clientFilesRun(async () => {
    client.mountLogin({ elementId: '#place', config: CONFIG });
    const isPainted = (): boolean => document.querySelector('input[type=email]') !== null;
    await vi.waitFor(() => expect(isPainted()).toBe(true), { interval: 1 });
  }, false);
  expect(faultsOf(walkOf('Mount to first paint'), ran)).toEqual([]);
});

soakIt('the walk of a passcode', async () => {
  const world = consentWorld();
  await loadPart('login');
  const client = open(world);
  client.mountLogin({ elementId: '#place', config: CONFIG });
  const send = async (): Promise<HTMLInputElement> => {
    const email = await vi.waitFor(() => screen.getByRole('textbox'));
    fireEvent.change(email, { target: { value: 'ada@example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue with email' }));
    return vi.waitFor(() => {
      const [first] = document.querySelectorAll<HTMLInputElement>('[inputmode=numeric]');
      if (first === undefined) throw new Error('no place for the code yet');
      return first;
    });
  };
  // The first code waits for what is loaded later.
  await send();
  fireEvent.click(screen.getByRole('button', { name: /back/iu }));
  const ran = await clientFilesRun(async () => {
    const first = await send();
    fireEvent.change(first, { target: { value: world.server.inbox[0]?.code } });
    await vi.waitFor(() => expect(client.session.getSync()).not.toBeNull());
  });
  expect(faultsOf(walkOf('Send a passcode and enter it'), ran)).toEqual([]);
});

soakIt('the walk of a refresh in the background', async () => {
  const world = consentWorld();
  const client = open(world);
  await world.signIn(client);
  const refresh = async (): Promise<void> => {
    const before = world.transport.requestsTo(sessions.authenticate).length;
    await world.clock.advance(180_000);
    await vi.waitFor(() => expect(world.transport.requestsTo(sessions.authenticate).length).toBeGreaterThan(before));
    await world.settle();
  };
  // What a login leaves to do is done by the first refresh.
  await refresh();
  expect(faultsOf(walkOf('Background refresh'), await clientFilesRun(refresh))).toEqual([]);
});

soakIt('the walk of a consent', async () => {
  const world = consentWorld();
  await loadPart('consent');
  const client = open(world, `http://localhost:3000/authorize?${new URLSearchParams(REQUEST).toString()}`);
  await world.signIn(client);
  const ran = await clientFilesRun(async () => {
    client.mountIdentityProvider({ elementId: '#place' });
    fireEvent.click(await vi.waitFor(() => screen.getByRole('button', { name: 'Allow' })));
    await world.settle();
  });
  expect(faultsOf(walkOf('Consent'), ran)).toEqual([]);
});
