import { act, cleanup } from '@testing-library/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PorticoUIClient } from '#composition/ui-client.ts';
import { PorticoProvider, useSession, useUser, type InitialState } from '#composition/react.tsx';
import { sessions } from '#application/api/index.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const ADA = 'ada@example.com';

let world: TestWorld;
let client: PorticoUIClient;
let place: HTMLElement;
/** Every text that a visitor could see, in order. */
let shown: string[];
let complaints: unknown[];

beforeEach(() => {
  world = new TestWorld();
  shown = [];
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
});

afterEach(() => {
  client.destroy();
  cleanup();
});

/** A page whose visitor is signed in, and what a server reads of the session. */
async function visitor(): Promise<InitialState & { user: User }> {
  client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  await world.signIn(client, ADA);
  return { session: client.session.getSync() as Session, user: client.user.getSync() as User };
}

/** The browser's storage is gone, as after a week in some browsers. The cookies are still there. */
async function reopenedWithCookiesAlone(): Promise<void> {
  client.destroy();
  world.storage.clear();
  client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
}

function Who() {
  const { user, ...aboutUser } = useUser();
  const { session, isInitialized, fromCache } = useSession();
  const mail = user?.emails[0]?.email ?? (aboutUser.isInitialized ? 'nobody' : 'somebody');
  return (
    <p>
      {isInitialized ? 'known' : 'unknown'}, {session === null ? 'out' : 'in'}, {mail}, {String(fromCache)}
    </p>
  );
}

const page = (of: PorticoUIClient | null, initial: InitialState | null | undefined) => (
  <StrictMode>
    <PorticoProvider client={of} initial={initial}>
      <Who />
    </PorticoProvider>
  </StrictMode>
);

async function hydrate(initial: InitialState | null | undefined, of: PorticoUIClient | null = client) {
  place = document.createElement('div');
  place.innerHTML = renderToString(page(null, initial));
  const note = (): void => void (shown.at(-1) === place.textContent || shown.push(place.textContent));
  note();
  new MutationObserver(note).observe(place, { childList: true, subtree: true, characterData: true });
  const onRecoverableError = (error: unknown): void => void complaints.push(error);
  const root = await act(async () => hydrateRoot(place, page(of, initial), { onRecoverableError }));
  await act(async () => world.settle());
  return root;
}

it('a server-rendered page has the user in its first HTML, and shows no other user while it hydrates', async () => {
  const root = await hydrate(await visitor());
  expect(shown).toEqual([`known, in, ${ADA}, true`, `known, in, ${ADA}, false`]);
  await act(() => client.session.revoke());
  expect(place.textContent).toBe('known, out, nobody, false');
  expect(complaints).toEqual([]);
  act(() => root.unmount());
});

it('a server that read a JWT knows the session, and leaves the user open', async () => {
  const { session } = await visitor();
  await hydrate({ session, user: null });
  expect(shown[0]).toBe('known, in, somebody, true');
  expect(shown.at(-1)).toBe(`known, in, ${ADA}, false`);
  expect(complaints).toEqual([]);
});

it('a page without a client keeps what the server knew', async () => {
  await hydrate(await visitor(), null);
  expect(shown).toEqual([`known, in, ${ADA}, true`]);
});

it('a page whose server found no session shows that at once', async () => {
  client = new PorticoUIClient(TOKEN, { adapters: world.tab(), telemetry: false });
  await hydrate(null);
  expect(shown).toEqual(['known, out, nobody, false']);
});

it('a page whose client has the cookies alone shows the user without a flash', async () => {
  const known = await visitor();
  await reopenedWithCookiesAlone();
  expect(client.session.getSync()).toBeNull();
  await hydrate(known);
  expect(new Set(shown)).toEqual(new Set([`known, in, ${ADA}, true`, `known, in, ${ADA}, false`]));
  expect(client.session.getSync()).toMatchObject({ session_id: known.session.session_id });
});

it('a stale page gives up a user whose session is over, and keeps one while the server cannot be reached', async () => {
  const known = await visitor();
  await client.session.revoke();
  const gone = await hydrate(known);
  expect(shown).toEqual([`known, in, ${ADA}, true`, 'known, out, nobody, false']);
  act(() => gone.unmount());
  world.transport.answer(sessions.authenticate, () => new TypeError('offline'));
  shown = [];
  await hydrate(known);
  expect(shown).toEqual([`known, in, ${ADA}, true`]);
});
