// @vitest-environment happy-dom
import { join } from 'node:path';
import { firstValueFrom, isObservable, map, Observable, of, Subject, switchMap, type Observer } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type * as Package from '#composition/index.ts';
import type * as Testing from '#composition/testing.ts';
import { ROOT } from '#scripts/lib/root.mjs';

const built = async <Module>(entry: string): Promise<Module> =>
  (await import(/* @vite-ignore */ join(ROOT, 'dist', `${entry}.js`))) as Module;
const { PorticoUIClient } = await built<typeof Package>('index');
const { FakeWorld } = await built<typeof Testing>('testing');

const TOKEN = 'public-token-test-rxjs';
const CONFIG = { products: ['otp' as const], otpOptions: { methods: ['email' as const] } };

afterEach(() => document.body.replaceChildren());

/** The package holds the modern build of rxjs; a host has a copy of its own. */
describe('an observable of the package, to a host with its own rxjs', () => {
  it('is an observable, which the operators of the host take', async () => {
    const client = new PorticoUIClient(TOKEN, { adapters: new FakeWorld().tab(), telemetry: false });
    document.body.innerHTML = '<div id="login"></div>';
    const { screen$, unmount } = client.mountLogin({ elementId: '#login', config: CONFIG });
    expect(screen$).not.toBeInstanceOf(Observable);
    expect(isObservable(screen$)).toBe(true);
    expect(await firstValueFrom(screen$.pipe(map(({ name }) => name)))).toBe('Main');
    expect(
      await firstValueFrom(
        of(1).pipe(
          switchMap(() => screen$),
          map(({ name }) => name),
        ),
      ),
    ).toBe('Main');
    unmount();
    client.destroy();
  });

  it('takes an observer, and ends when the host unsubscribes', () => {
    const { browser } = new FakeWorld().tab();
    const seen: Partial<Observer<void>> = { next: () => undefined };
    const subscription = browser.wakes$.pipe(map(() => 1)).subscribe(seen as Observer<unknown>);
    subscription.unsubscribe();
    expect(subscription.closed).toBe(true);
  });
});

it('an adapter of the host answers with an observable of the rxjs of the host', async () => {
  const world = new FakeWorld();
  const tab = world.tab();
  const changes = new Map<string, Subject<string | null>>();
  const storage = Object.create(tab.storage) as typeof tab.storage;
  storage.changes = (key) => {
    const subject = new Subject<string | null>();
    changes.set(key, subject);
    return subject.asObservable();
  };
  const client = new PorticoUIClient(TOKEN, { adapters: { ...tab, storage }, telemetry: false });
  await new Promise((resolve) => void setTimeout(resolve));
  expect(changes.size).toBeGreaterThan(0);
  expect([...changes.values()].every((subject) => subject.observed)).toBe(true);
  client.destroy();
  expect([...changes.values()].some((subject) => subject.observed)).toBe(false);
});
