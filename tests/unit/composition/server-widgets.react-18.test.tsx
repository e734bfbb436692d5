import { act, cleanup } from '@testing-library/react';
import { version, type ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  Account,
  IdentityProvider,
  Login,
  PasskeyRegistration,
  PasswordReset,
  PorticoProvider,
} from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { crossings } from '../../gallery/borders.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const runtime = vi.hoisted(() => ({ isServer: false }));
// On a server, package.json leads the import of this file to the other one, which renders nothing where there is a window.
vi.mock('#composition/prerender/on-page.ts', async () => {
  vi.stubGlobal('window', undefined);
  const { renderOnServer } = await import('#composition/prerender/on-server.tsx');
  vi.unstubAllGlobals();
  return {
    get renderOnServer() {
      return runtime.isServer ? renderOnServer : null;
    },
  };
});

// A server has no window when it loads this file.
vi.mock('#presentation/hooks/before-paint.ts', async () => {
  const { useEffect, useLayoutEffect } = await import('react');
  const useBeforePaint: typeof useEffect = (...of) => (runtime.isServer ? useEffect : useLayoutEffect)(...of);
  return { useBeforePaint };
});

let client: PorticoUIClient;
let place: HTMLElement;
let root: Root | undefined;
let complaints: unknown[][];

beforeEach(() => {
  vi.stubGlobal('event', new Event('click'));
  complaints = [];
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => void complaints.push(words));
  }
  client = new PorticoUIClient(TOKEN, { adapters: new TestWorld().tab('http://localhost:3000/'), telemetry: false });
  place = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  act(() => root?.unmount());
  cleanup();
  place.remove();
  client.destroy();
});

const WIDGETS: readonly (readonly [string, string, ReactNode])[] = [
  ['login', 'Sign up or log in', <Login key="login" config={{ products: ['otp'] }} prerender />],
  ['reset', 'Reset your password', <PasswordReset key="reset" passwordResetToken="unknown" prerender />],
  ['passkeys', 'Set up a new Passkey', <PasskeyRegistration key="passkeys" prerender />],
  ['consent', 'One moment…', <IdentityProvider key="consent" prerender />],
  ['account', 'Your account', <Account key="account" prerender />],
];

it.each(WIDGETS)(
  'React 18 renders the widget on a server, and leaves it to the widget: %s',
  async (name, text, widget) => {
    expect(version).toMatch(/^18\./u);
    const page = (of: PorticoUIClient | null) => <PorticoProvider client={of}>{widget}</PorticoProvider>;
    runtime.isServer = true;
    place.innerHTML = renderToString(page(null));
    runtime.isServer = false;
    // Where there is a window, the component that mounts has the effects of a browser, of which React 18 warns a server.
    expect(complaints.filter((words) => !/^\s*at \w+ \(\S*\/react-widgets\.tsx/u.test(String(words[1])))).toEqual([]);
    complaints = [];
    expect(place.textContent).toContain(text);
    // This version puts no sheet into the head.
    expect(place.querySelector('link[rel=stylesheet]')?.getAttribute('href')).toBe(`/portico/${name}.css`);
    const card = place.querySelector('[data-part=container]');
    const onRecoverableError = (error: unknown): void => void complaints.push([error]);
    root = await act(async () => hydrateRoot(place, page(client), { onRecoverableError }));
    await vi.waitFor(() => expect(place.querySelector('[data-portico-rendered], [data-portico-helper]')).toBeNull());
    expect(place.querySelector('[data-part=container]')).toBe(card);
    expect(complaints).toEqual([]);
  },
);

it('two widgets in a server’s page have ids, labels and descriptions of their own', () => {
  runtime.isServer = true;
  const config = { products: ['otp'], otpOptions: { methods: ['email', 'sms'] } } as const;
  const widgets = ['here', 'there'].map((key) => <Login key={key} config={config} prerender />);
  place.innerHTML = renderToString(<PorticoProvider client={null}>{widgets}</PorticoProvider>);
  runtime.isServer = false;
  const cards = [...place.querySelectorAll('[data-portico]')];
  expect(cards.map((card) => card.querySelectorAll('[id]').length > 3)).toEqual([true, true]);
  expect(crossings(cards)).toEqual([]);
});
