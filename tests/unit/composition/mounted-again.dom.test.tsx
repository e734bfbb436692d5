import { act, cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Login, PasskeyRegistration, PorticoProvider } from '#composition/react.tsx';
import type { WidgetHandle } from '#composition/mount.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoUIClient[] = [];
for (const part of ['login', 'passkeys'] as const) await loadPart(part);

afterEach(() => {
  cleanup();
  for (const client of clients.splice(0)) client.destroy();
  document.body.replaceChildren();
});

function open() {
  const world = new TestWorld();
  const client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  clients.push(client);
  const place = Object.assign(document.createElement('div'), { id: 'login' });
  document.body.append(place);
  return {
    client,
    place,
    mount: (options: object = {}): WidgetHandle => {
      const handles: WidgetHandle[] = [];
      act(() => void handles.push(client.mountLogin({ elementId: '#login', config: {}, ...options })));
      return handles[0] as WidgetHandle;
    },
    signIn: () => act(() => world.signIn(client, 'ada@example.com')),
  };
}

const settle = () => act(() => new Promise<void>((done) => void setTimeout(done, 10)));
const shows = (title: string) =>
  vi.waitFor(async () => {
    await settle();
    expect([...document.querySelectorAll('h1')].map(({ textContent }) => textContent)).toEqual([title]);
  });

/** A login that shows its success. */
async function succeeded() {
  const opened = open();
  const handle = opened.mount();
  await shows('Sign up or log in');
  await opened.signIn();
  await shows('Success!');
  return { ...opened, handle };
}

describe('a login on its success screen', () => {
  it('stays there when it is shown anew in its place', async () => {
    const { mount } = await succeeded();
    mount({ styles: { hideHeaderText: false }, config: { rememberLastMethod: false } });
    await shows('Success!');
  });

  it.each([true, false])('starts anew when it is unmounted and mounted again, signed in: %s', async (isSignedIn) => {
    const { client, handle, mount } = await succeeded();
    act(() => handle.unmount());
    if (!isSignedIn) await act(() => client.session.revoke());
    mount();
    await shows('Sign up or log in');
  });

  it('starts anew in an element that the host has emptied', async () => {
    const { place, mount } = await succeeded();
    act(() => place.replaceChildren());
    mount();
    await shows('Sign up or log in');
    expect(place.querySelectorAll('[data-portico]')).toHaveLength(1);
  });
});

describe('a widget in the place of another', () => {
  it('takes over the focus that was in it', async () => {
    const { handle, client, place } = await succeeded();
    place.querySelector('h1')?.focus();
    expect(document.activeElement).toBe(place.querySelector('h1'));
    act(() => handle.unmount());
    act(() => void client.mountPasskeyRegistration({ elementId: '#login', config: { products: ['passkeys'] } }));
    await shows('Set up a new Passkey');
    expect(document.activeElement).toBe(place.querySelector('h1'));
  });

  it('takes no focus where none was in it', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1e9);
    const { handle, mount } = await succeeded();
    (document.activeElement as HTMLElement).blur();
    act(() => handle.unmount());
    mount();
    await shows('Sign up or log in');
    expect(document.activeElement).toBe(document.body);
    vi.restoreAllMocks();
  });

  it('takes it over as a component, too', async () => {
    const { client, signIn } = open();
    const Page = ({ isIn }: { readonly isIn: boolean }) => (
      <PorticoProvider client={client}>
        {isIn ? <PasskeyRegistration config={{ products: ['passkeys'] }} /> : <Login config={{}} />}
      </PorticoProvider>
    );
    const view = render(<Page isIn={false} />);
    await shows('Sign up or log in');
    view.container.querySelector('input')?.focus();
    await signIn();
    view.rerender(<Page isIn />);
    await shows('Set up a new Passkey');
    expect(document.activeElement).toBe(view.container.querySelector('h1'));
  });
});
