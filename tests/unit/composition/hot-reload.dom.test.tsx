import { act, cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Login, PorticoProvider, useUser } from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const CONFIG = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
const made: PorticoUIClient[] = [];
afterEach(() => {
  cleanup();
  for (const client of made.splice(0)) client.destroy();
});

function Page() {
  const { user } = useUser();
  return user === null ? <Login config={CONFIG} /> : <p>Welcome</p>;
}

const under = (client: PorticoUIClient) => (
  <StrictMode>
    <PorticoProvider client={client}>
      <Page />
    </PorticoProvider>
  </StrictMode>
);

describe('a module with a client in it that is loaded anew', () => {
  it('warns of no other client, whose widget is gone with the last version', async () => {
    const world = new TestWorld();
    const tab = world.tab();
    const load = (): PorticoUIClient => {
      const client = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
      made.push(client);
      return client;
    };
    const view = render(under(load()));
    for (let reload = 0; reload < 3; reload += 1) {
      await act(() => new Promise<void>((done) => void setTimeout(done, 20)));
      expect(view.container.querySelectorAll('[data-portico]')).toHaveLength(1);
      view.rerender(under(load()));
    }
    const last = load();
    view.rerender(under(last));
    await act(() => world.signIn(last));
    expect(view.container.textContent).toBe('Welcome');
    expect(tab.log.messages()).toEqual([]);
  });

  it('warns once of one whose widget is still used beside it', async () => {
    const world = new TestWorld();
    const tab = world.tab();
    const [first, second] = [0, 1].map(() => new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false }));
    made.push(...[first, second].filter((client) => client !== undefined));
    for (const id of ['one', 'two']) document.body.append(Object.assign(document.createElement('div'), { id }));
    first?.mountLogin({ elementId: '#one', config: CONFIG });
    second?.mountLogin({ elementId: '#two', config: CONFIG });
    await vi.waitFor(() =>
      expect(tab.log.messages('warn')).toEqual([expect.stringContaining('Another client on this page')]),
    );
    document.body.replaceChildren();
  });

  it('warns once of one that is used after destroy()', async () => {
    const tab = new TestWorld().tab();
    const client = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
    made.push(client);
    client.destroy();
    const element = document.body.appendChild(document.createElement('div'));
    for (const _ of [1, 2]) client.mountLogin({ elementId: element, config: CONFIG });
    await vi.waitFor(() => expect(tab.log.messages('warn')).toEqual([expect.stringContaining('was destroyed')]));
    document.body.replaceChildren();
  });
});
