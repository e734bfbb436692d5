import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Observable } from 'rxjs';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../patience-ms.ts';
import { SOAK } from '../../../soak.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { namedFolders } from '#scripts/vite/named-folders.ts';
import { sessions } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { WebStorage } from '#infrastructure/storage/web-storage.ts';
import { StorageBrowser } from '../../infrastructure/support/storage-browser.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { TestWorld, TOKEN } from '../world.ts';

const OTHER = 'public-token-test-2';
const CYCLE_MS = 180_000;
const TURNS = SOAK ? 1_000 : 200;

/** Ports that count who still listens. */
function counting(tab: FakeTab): { readonly ports: FakeTab; readonly listeners: () => number } {
  let listeners = 0;
  const counted = <T>(source: Observable<T>): Observable<T> =>
    new Observable((subscriber) => {
      listeners += 1;
      const subscription = source.subscribe(subscriber);
      return () => {
        listeners -= 1;
        subscription.unsubscribe();
      };
    });
  const over = <T extends object>(port: T, changed: Partial<T>): T =>
    new Proxy(port, {
      get: (target, name) => {
        if (name in changed) return changed[name as keyof T];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const ports: FakeTab = {
    ...tab,
    storage: over(tab.storage, { changes: (key) => counted(tab.storage.changes(key)) }),
    browser: over(tab.browser, { wakes$: counted(tab.browser.wakes$), leaves$: counted(tab.browser.leaves$) }),
  };
  return { ports, listeners: () => listeners };
}

describe('two clients on a page', () => {
  it('with different tokens are independent', async () => {
    const world = new TestWorld();
    const tab = world.tab('http://localhost:3000/');
    const one = new PorticoClient(TOKEN, {
      adapters: tab,
      telemetry: false,
      cookieOptions: { opaqueTokenCookieName: 'one', jwtCookieName: 'one_jwt' },
    });
    const two = new PorticoClient(OTHER, { adapters: tab, telemetry: false });
    expect(tab.log.messages()).toEqual([]);
    await world.signIn(one);
    expect([one.session.getSync() === null, two.session.getSync() === null]).toEqual([false, true]);
    await world.signIn(two, 'eve@example.com');
    expect(one.user.getSync()?.emails[0]?.email).toBe('ada@example.com');
    expect(two.user.getSync()?.emails[0]?.email).toBe('eve@example.com');
    expect(one.session.getTokens()?.session_token).not.toBe(two.session.getTokens()?.session_token);

    const before = world.transport.requestsTo(sessions.authenticate).length;
    await world.clock.advance(CYCLE_MS);
    expect(world.transport.requestsTo(sessions.authenticate).length - before).toBe(2);
    await two.session.revoke();
    expect(one.session.getSync()).not.toBeNull();
    one.destroy();
    await world.signIn(two, 'eve@example.com');
    await world.clock.advance(CYCLE_MS);
    expect(two.session.getSync()).not.toBeNull();
    two.destroy();
  });

  it('with the same token warn once each that is used beside a later one, and still refresh as one', async () => {
    const world = new TestWorld();
    const tab = world.tab('http://localhost:3000/');
    const open = (): PorticoClient => new PorticoClient(TOKEN, { adapters: tab, telemetry: false });
    const warnings = (): number => tab.log.messages('warn').length;
    const first = open();
    const others = [open(), open(), open(), open()];
    expect(warnings()).toBe(0);

    // All of them go on, and still one asks for all.
    await world.signIn(first);
    expect(tab.log.messages('warn')).toEqual([expect.stringContaining('same public token')]);
    await world.clock.advance(CYCLE_MS);
    expect(world.transport.requestsTo(sessions.authenticate).length).toBe(1);

    for (const client of others) await client.passwords.strengthCheck({ password: 'p' });
    for (const client of others) await client.passwords.strengthCheck({ password: 'p' });
    expect(warnings()).toBe(4);
    for (const client of [...others, first]) client.destroy();
    const next = open();
    open().destroy();
    await next.passwords.strengthCheck({ password: 'p' });
    expect(warnings()).toBe(4);
    next.destroy();
  });

  it('with the same token have one session: each sees what the other does', async () => {
    const world = new TestWorld();
    const tab = world.tab('http://localhost:3000/');
    const page = new StorageBrowser().tab();
    const open = (): PorticoClient => {
      const storage = new WebStorage(() => page.area(), page);
      return new PorticoClient(TOKEN, { adapters: { ...tab, storage }, telemetry: false });
    };
    const [one, two] = [open(), open()];
    const seen: (string | null)[] = [];
    two.user.onChange((user) => seen.push(user?.emails[0]?.email ?? null));
    await world.signIn(one);
    await world.settle();
    expect(two.session.getSync()).toEqual(one.session.getSync());
    expect(two.session.getTokens()).toEqual(one.session.getTokens());
    await two.user.update({ name: { first_name: 'Ada' } });
    await world.settle();
    expect(one.user.getSync()?.name.first_name).toBe('Ada');
    await one.session.revoke();
    await world.settle();
    expect([one.session.getSync(), two.session.getSync()]).toEqual([null, null]);
    expect([seen[0], seen.at(-1)]).toEqual(['ada@example.com', null]);
    await world.signIn(two, 'eve@example.com');
    await world.settle();
    expect(one.user.getSync()?.emails[0]?.email).toBe('eve@example.com');
    // What one of them asked for is not asked for by both.
    await world.clock.advance(CYCLE_MS);
    expect(world.transport.requestsTo(sessions.authenticate).length).toBe(1);
    for (const client of [one, two]) client.destroy();
    await world.settle();
    expect(page.listening).toBe(0);
  });

  it('that hot reloads make one after the other, each used until the next is there, warn of nothing', async () => {
    const world = new TestWorld();
    const tab = world.tab('http://localhost:3000/');
    const made: PorticoClient[] = [];
    for (let reload = 0; reload < 12; reload += 1) {
      const client = new PorticoClient(TOKEN, { adapters: tab });
      made.push(client);
      if (reload === 0) await world.signIn(client);
      await client.passwords.strengthCheck({ password: 'p' });
      await client.user.get();
      // What is left behind goes on by itself.
      await world.clock.advance(CYCLE_MS);
    }
    expect(tab.log.messages()).toEqual([]);
    await made[3]?.passwords.strengthCheck({ password: 'p' });
    expect(tab.log.messages('warn')).toHaveLength(1);
    for (const client of made) client.destroy();
  });
});

describe('a client that is destroyed', () => {
  it.each([
    ['before anything happened', async () => undefined],
    ['while nobody is signed in', async (world: TestWorld) => world.settle()],
    [
      'while somebody is signed in',
      async (world: TestWorld, client: PorticoClient) => {
        await world.signIn(client);
        await world.clock.advance(3 * CYCLE_MS);
      },
    ],
    [
      'while it refreshes',
      async (world: TestWorld, client: PorticoClient) => {
        await world.signIn(client);
        world.transport.hold(sessions.authenticate);
        await world.clock.advance(CYCLE_MS);
      },
    ],
    [
      'after an outage',
      async (world: TestWorld, client: PorticoClient) => {
        await world.signIn(client);
        world.transport.answer(sessions.authenticate, () => new TypeError('Failed to fetch'));
        await world.clock.advance(CYCLE_MS + 60_000);
      },
    ],
  ] as const)('%s leaves no wait, no listener and no request behind', async (_, happen) => {
    const world = new TestWorld();
    const { ports, listeners } = counting(world.tab('http://localhost:3000/'));
    const client = new PorticoClient(TOKEN, { adapters: ports, telemetry: false });
    client.onStateChange(() => undefined);
    client.session.session$.subscribe();
    await happen(world, client);
    client.destroy();
    client.destroy();
    await world.settle();
    expect(listeners()).toBe(0);
    expect(world.clock.pending).toBe(0);
    const before = world.transport.requests.length;
    ports.browser.wake();
    await world.clock.advance(10 * CYCLE_MS);
    expect(world.transport.requests.length).toBe(before);
  });

  it('with telemetry too, whether or not its event log has begun', async () => {
    for (const lived of [0, 100, 5_000]) {
      const world = new TestWorld();
      const { ports, listeners } = counting(world.tab('http://localhost:3000/'));
      const client = new PorticoClient(TOKEN, { adapters: ports });
      await world.clock.advance(lived);
      client.destroy();
      await vi.waitFor(() => expect([listeners(), world.clock.pending], `after ${lived} ms`).toEqual([0, 0]));
    }
  });

  it(`${TURNS} times on one page leaves what was there before`, async () => {
    const world = new TestWorld();
    const { ports, listeners } = counting(world.tab('http://localhost:3000/'));
    for (let turn = 0; turn < TURNS; turn += 1) {
      const client = new PorticoClient(TOKEN, { adapters: ports, telemetry: false });
      client.session.onChange(() => undefined);
      if (turn % 100 === 0) await world.signIn(client);
      client.destroy();
    }
    await world.settle();
    expect([listeners(), world.clock.pending, ports.log.messages().length]).toEqual([0, 0, 0]);
  });
});

describe('a Node process', () => {
  let dir = '';

  /** As a host would build it, from the sources. */
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'portico-process-'));
    const entry = (name: string): string => JSON.stringify(join(ROOT, 'src/composition', name));
    writeFileSync(
      join(dir, 'main.ts'),
      `import { PorticoClient } from ${entry('headless.ts')};
       import { SystemClock } from ${entry('adapters.ts')};
       import { FakeServer, FakeWorld } from ${entry('testing.ts')};
       const world = new FakeWorld();
       const server = new FakeServer(world.transport, world.clock, async () => '');
       const clock = new SystemClock(globalThis);
       const client = new PorticoClient('public-token-test-1', { adapters: { ...world.tab(), clock } });
       const { method_id } = await client.otps.email.loginOrCreate('ada@example.com');
       const code = server.inbox[0].code;
       await client.otps.authenticate(code, method_id, { session_duration_minutes: 525_600 });
       process.on('exit', () => console.log(client.session.getSync() !== null));`,
    );
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      plugins: [namedFolders],
      build: { ssr: join(dir, 'main.ts'), outDir: join(dir, 'out'), target: 'node20', minify: false },
      ssr: { noExternal: true, external: ['vitest'] },
    });
  });

  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('ends by itself while a client lives in it, whose next refresh is minutes away', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(dir, 'out/main.js')], {
      timeout: PATIENCE_MS,
    });
    expect(stdout.trim()).toBe('true');
  });
});
