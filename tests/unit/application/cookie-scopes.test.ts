import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ports, TransportPort } from '../../../src/application/ports/index.ts';
import { cookiePlace, type CookieOptions } from '../../../src/application/session/cookie-options.ts';
import { LoginBinding } from '../../../src/application/session/login-binding.ts';
import { ClientKeys } from '../../../src/application/wire/client-keys.ts';
import { PorticoClient } from '../../../src/composition/client.ts';
import { FakeCrypto } from '../../../src/infrastructure/fake/fake-crypto.ts';
import { FakeLock } from '../../../src/infrastructure/fake/fake-lock.ts';
import { MemoryStorage, StorageBus } from '../../../src/infrastructure/fake/memory-storage.ts';
import { VirtualClock } from '../../../src/infrastructure/fake/virtual-clock.ts';
import { DocumentCookies } from '../../../src/infrastructure/storage/document-cookies.ts';
import { CookieDocument, type CookieStore } from '../infrastructure/support/cookie-document.ts';
import { TestWorld } from './world.ts';

const PAGE = 'https://docs.example.com/shop/cart';
const NAMES = ['stytch_session', 'stytch_session_jwt', 'stytch_intermediate_session_token'];
const clients: PorticoClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session JWT as the provider writes it; nobody checks its signature here. */
function jwtOf(project: string, { session, session_token }: Record<string, unknown>, stamp: string): string {
  const token_hash = createHash('sha256').update(String(session_token)).digest().subarray(0, 16).toString('base64url');
  const { session_id: id } = session as { session_id: string };
  const claim = { id, token_hash };
  return `${base64url({ alg: 'RS256' })}.${base64url({ aud: [project], 'https://stytch.com/session': claim })}.${stamp}`;
}

/** A project with its own server. Its JWTs name it. */
function makeProject(clock: VirtualClock, project: string) {
  const world = new TestWorld(clock);
  const sent: string[] = [];
  const withJwts = (inner: TransportPort): TransportPort => ({
    async send(request) {
      sent.push(Buffer.from(String(request.headers['authorization']).slice(6), 'base64').toString());
      const answered = await inner.send(request);
      // Servers in memory count their sessions; real ones have other ids.
      const reply = { ...answered, text: answered.text.replaceAll('session-test-', `session-${project}-`) };
      const { data, ...rest } = JSON.parse(reply.text) as { data?: Record<string, unknown> };
      const fake = data?.['session_jwt'];
      if (data === undefined || typeof fake !== 'string' || fake === '') return reply;
      const session_jwt = jwtOf(project, data, fake.split('.').at(-1) ?? '');
      return { ...reply, text: JSON.stringify({ ...rest, data: { ...data, session_jwt } }) };
    },
  });
  return { project, world, withJwts, sent, publicToken: `public-token-test-${project}` };
}
type Project = ReturnType<typeof makeProject>;

/** A browser: its cookies, and what belongs to each origin. */
class Browser {
  readonly store: CookieStore = new Map();
  isStorageBlocked = false;
  private readonly origins = new Map<string, Pick<Ports, 'lock'> & { readonly bus: StorageBus }>();

  constructor(readonly clock = new VirtualClock(Date.UTC(2026, 0, 1))) {}

  /** A tab with a page of the project. `writes` are the texts that were assigned to `document.cookie`. */
  async open({ world, withJwts, publicToken }: Project, href: string, cookieOptions: CookieOptions = {}) {
    const { origin } = new URL(href);
    const own = this.origins.get(origin) ?? { bus: new StorageBus(), lock: new FakeLock(this.clock) };
    this.origins.set(origin, own);
    const document = new CookieDocument(new URL(href), () => this.clock.now(), this.store);
    const tab = world.tab(href);
    const storage = this.isStorageBlocked ? new MemoryStorage() : own.bus.tab();
    const stored: string[] = [];
    const adapters = {
      ...tab,
      transport: withJwts(tab.transport),
      cookies: new DocumentCookies(document, this.clock),
      lock: own.lock,
      storage: {
        get: (key: string) => storage.get(key),
        set: (key: string, value: string) => {
          stored.push(key);
          storage.set(key, value);
        },
        remove: (key: string) => storage.remove(key),
        changes: (key: string) => storage.changes(key),
      },
    };
    const client = new PorticoClient(publicToken, { adapters, cookieOptions, telemetry: false });
    clients.push(client);
    await this.settle();
    return { client, document, stored, adapters };
  }

  /** The cookies that the browser keeps, as `name domain path`. */
  get kept(): readonly string[] {
    return [...this.store.values()]
      .filter(({ expires }) => expires === null || expires > this.clock.now())
      .map(({ name, domain, hostOnly, path }) => `${name} ${hostOnly ? '' : '.'}${domain} ${path}`)
      .sort();
  }

  /** Hashes are computed outside of the virtual time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.clock.advance(0);
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => void setTimeout(resolve, 0));
    }
  }
}

const sessionOf = ({ client }: { readonly client: PorticoClient }) => client.session.getSync()?.session_id ?? null;

/** Ends the session by a copy of its token: the browser learns nothing of it. */
async function endElsewhere(browser: Browser, app: Project, { client }: { readonly client: PorticoClient }) {
  const other = await new Browser(browser.clock).open(app, PAGE);
  other.client.session.updateSession({ session_token: client.session.getTokens()?.session_token ?? '' });
  await other.client.session.revoke();
  other.client.destroy();
}

const SCOPES = {
  'the defaults': [{}, 'docs.example.com /'],
  availableToSubdomains: [{ availableToSubdomains: true }, '.docs.example.com /'],
  'a parent domain': [{ domain: 'example.com' }, '.example.com /'],
  'a path': [{ path: '/shop' }, 'docs.example.com /shop'],
  'a domain and a path': [{ domain: 'example.com', path: '/shop' }, '.example.com /shop'],
} as const satisfies Record<string, readonly [CookieOptions, string]>;
type ScopeName = keyof typeof SCOPES;
const NAMED = Object.keys(SCOPES) as ScopeName[];
const CHANGES = NAMED.flatMap((from) => NAMED.filter((to) => to !== from).map((to) => [from, to] as const));
const pairAt = (scope: ScopeName): readonly string[] => NAMES.slice(0, 2).map((name) => `${name} ${SCOPES[scope][1]}`);

describe('a change of the cookies’ scope', () => {
  for (const [from, to] of CHANGES) {
    for (const isBlocked of [false, true]) {
      const title = `from ${from} to ${to}${isBlocked ? ' without storage' : ''}`;
      it(`${title} keeps a user signed in, and leaves no cookie in the earlier scope`, async () => {
        const browser = new Browser();
        browser.isStorageBlocked = isBlocked;
        const app = makeProject(browser.clock, 'project-a');
        const before = await browser.open(app, PAGE, SCOPES[from][0]);
        await app.world.signIn(before.client);
        const known = sessionOf(before);
        before.client.destroy();
        const after = await browser.open(app, PAGE, SCOPES[to][0]);
        expect([sessionOf(after), browser.kept]).toEqual([known, pairAt(to)]);
        await after.client.session.revoke();
        await browser.settle();
        expect(browser.kept).toEqual([]);
      });

      it(`${title} holds the next login through every reload, also when the earlier session is over`, async () => {
        const browser = new Browser();
        browser.isStorageBlocked = isBlocked;
        const app = makeProject(browser.clock, 'project-a');
        const before = await browser.open(app, PAGE, SCOPES[from][0]);
        await app.world.signIn(before.client, 'ada@example.com', 120);
        await endElsewhere(browser, app, before);
        before.client.destroy();
        const after = await browser.open(app, PAGE, SCOPES[to][0]);
        expect(sessionOf(after)).toBeNull();
        await app.world.signIn(after.client, 'grace@example.com', 120);
        await browser.settle();
        const known = sessionOf(after);
        expect(browser.kept).toEqual(pairAt(to));
        after.client.destroy();
        for (let reload = 0; reload < 3; reload += 1) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          const again = await browser.open(app, PAGE, SCOPES[to][0]);
          expect(sessionOf(again)).toBe(known);
          again.client.destroy();
        }
        const last = await browser.open(app, PAGE, SCOPES[to][0]);
        await last.client.session.revoke();
        await browser.settle();
        expect(browser.kept).toEqual([]);
      });
    }
  }
});

describe('a change of the cookies’ names', () => {
  it('leaves no cookie of the earlier names after the next login, so that the old session does not return with them', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const names = { opaqueTokenCookieName: 'a', jwtCookieName: '__Secure-b', istCookieName: 'c' };
    for (const [from, to] of [
      [names, {}],
      [{}, names],
    ] as const) {
      const before = await browser.open(app, PAGE, from);
      await app.world.signIn(before.client);
      before.client.destroy();
      const after = await browser.open(app, PAGE, to);
      await app.world.signIn(after.client);
      await browser.settle();
      expect(browser.kept).toHaveLength(2);
      await after.client.session.revoke();
      await browser.settle();
      after.client.destroy();
      const back = await browser.open(app, PAGE, from);
      expect([sessionOf(back), browser.kept]).toEqual([null, []]);
      back.client.destroy();
    }
  });
});

describe('cookies whose scope stays', () => {
  it('are written as before: two at each start, and nothing is recorded again', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client);
    await browser.settle();
    first.client.destroy();
    for (let start = 0; start < 3; start += 1) {
      browser.clock.jump(60_000);
      const { client, document, stored } = await browser.open(app, PAGE);
      // The token, the JWT, and the intermediate token, which is removed.
      expect(document.writes.map((line) => line.split('=')[0])).toEqual(NAMES);
      expect(stored.filter((key) => key.endsWith('::cookies'))).toEqual([]);
      client.destroy();
    }
  });

  it('are not touched for a visitor without a session', async () => {
    const browser = new Browser();
    const { document } = await browser.open(makeProject(browser.clock, 'project-a'), PAGE);
    expect(document.writes).toEqual([]);
  });
});

describe('a developer who changes the options back and forth', () => {
  it('keeps a user signed in, with one pair of cookies all the while', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client, 'ada@example.com', 600);
    const known = sessionOf(first);
    first.client.destroy();
    for (const scope of [...NAMED, ...[...NAMED].reverse()]) {
      browser.clock.jump(60_000);
      const { client } = await browser.open(app, PAGE, SCOPES[scope][0]);
      expect([client.session.getSync()?.session_id, browser.kept]).toEqual([known, pairAt(scope)]);
      client.destroy();
    }
  });

  it('has both builds in two tabs without a loss, and a sign-out in one is one in both', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const old = await browser.open(app, PAGE);
    await app.world.signIn(old.client, 'ada@example.com', 600);
    const known = sessionOf(old);
    const fresh = await browser.open(app, PAGE, { domain: 'example.com' });
    for (let cycle = 0; cycle < 4; cycle += 1) {
      await browser.clock.advance(180_000);
      await browser.settle();
      expect([sessionOf(old), sessionOf(fresh)]).toEqual([known, known]);
      expect(browser.kept.length).toBeGreaterThan(0);
    }
    await old.client.session.revoke();
    await browser.settle();
    expect([sessionOf(fresh), browser.kept]).toEqual([null, []]);
    const again = await browser.open(app, PAGE, { domain: 'example.com' });
    expect(sessionOf(again)).toBeNull();
  });
});

describe('two projects with cookies of the same names', () => {
  const OUTER = 'https://example.com/';
  const INNER = 'https://docs.example.com/guide';
  const pairs = [{}, { availableToSubdomains: true }].flatMap((outer) =>
    [{}, { availableToSubdomains: true }, { path: '/guide' }].map((inner) => [outer, inner] as const),
  );

  for (const [outerOptions, innerOptions] of pairs) {
    for (const first of ['outer', 'inner'] as const) {
      it(`on a domain (${JSON.stringify(outerOptions)}) and its subdomain (${JSON.stringify(innerOptions)}) both keep their sessions; ${first} first`, async () => {
        const browser = new Browser();
        const projects = {
          outer: makeProject(browser.clock, 'project-b'),
          inner: makeProject(browser.clock, 'project-a'),
        };
        const open = async (name: 'outer' | 'inner') =>
          name === 'outer'
            ? browser.open(projects.outer, OUTER, outerOptions)
            : browser.open(projects.inner, INNER, innerOptions);
        const known = new Map<string, string | null>();
        for (const name of first === 'outer' ? (['outer', 'inner'] as const) : (['inner', 'outer'] as const)) {
          const tab = await open(name);
          await projects[name].world.signIn(tab.client, `${name}@example.com`, 600);
          await browser.settle();
          known.set(name, sessionOf(tab));
          tab.client.destroy();
        }
        for (let reload = 0; reload < 3; reload += 1) {
          browser.clock.jump(60_000);
          for (const name of ['inner', 'outer'] as const) {
            const tab = await open(name);
            expect(sessionOf(tab)).toBe(known.get(name));
            const { session_jwt = '' } = tab.client.session.getTokens() ?? {};
            expect(Buffer.from(session_jwt.split('.')[1] ?? '', 'base64').toString()).toContain(projects[name].project);
            tab.client.destroy();
          }
        }
        const inner = await open('inner');
        await inner.client.session.revoke();
        await browser.settle();
        inner.client.destroy();
        const outer = await open('outer');
        expect(sessionOf(outer)).toBe(known.get('outer'));
        // A later login of the inner project does not end it either.
        const again = await open('inner');
        expect(sessionOf(again)).toBeNull();
        await projects.inner.world.signIn(again.client, 'inner@example.com', 600);
        await browser.settle();
        await outer.client.session.authenticate();
        expect(sessionOf(outer)).toBe(known.get('outer'));
        await outer.client.session.revoke();
        again.client.destroy();
        const last = await open('inner');
        expect(sessionOf(last)).not.toBeNull();
      });
    }
  }

  it.each(CHANGES.filter((change) => !change.some((name) => 'domain' in SCOPES[name][0])))(
    'stay apart when the inner one changes from %s to %s',
    async (from, to) => {
      const browser = new Browser();
      const outer = makeProject(browser.clock, 'project-b');
      const inner = makeProject(browser.clock, 'project-a');
      const there = await browser.open(outer, OUTER, { availableToSubdomains: true });
      await outer.world.signIn(there.client, 'outer@example.com', 600);
      const known = sessionOf(there);
      const before = await browser.open(inner, PAGE, SCOPES[from][0]);
      await inner.world.signIn(before.client, 'inner@example.com', 600);
      const own = sessionOf(before);
      before.client.destroy();
      const after = await browser.open(inner, PAGE, SCOPES[to][0]);
      expect(sessionOf(after)).toBe(own);
      const others = NAMES.slice(0, 2).map((name) => `${name} .example.com /`);
      expect(browser.kept).toEqual([...pairAt(to), ...others].sort());
      await there.client.session.authenticate();
      expect(sessionOf(there)).toBe(known);
    },
  );

  it('stay apart when the other one has moved into a scope that this one has left', async () => {
    const browser = new Browser();
    const outer = makeProject(browser.clock, 'project-b');
    const inner = makeProject(browser.clock, 'project-a');
    const before = await browser.open(inner, INNER, { domain: 'example.com' });
    await inner.world.signIn(before.client, 'inner@example.com', 600);
    before.client.destroy();
    // Before the inner project's user returns, the outer one's cookies replace theirs.
    const there = await browser.open(outer, OUTER, { availableToSubdomains: true });
    await outer.world.signIn(there.client, 'outer@example.com', 600);
    const after = await browser.open(inner, INNER);
    await inner.world.signIn(after.client, 'inner@example.com', 600);
    await browser.settle();
    await there.client.session.authenticate();
    expect([sessionOf(there), sessionOf(after)]).toEqual([expect.any(String), expect.any(String)]);
    expect(browser.kept).toHaveLength(4);
  });
});

describe('the cookie of a trusted browser', () => {
  const DEVICE = 'stytch_trusted_device';

  function bindingOf(browser: Browser, storage: MemoryStorage, scope: ScopeName, publicToken = 'public-token-test-a') {
    const document = new CookieDocument(new URL(PAGE), () => browser.clock.now(), browser.store);
    const cookies = new DocumentCookies(document, browser.clock);
    const place = cookiePlace(SCOPES[scope][0], 'docs.example.com');
    const ports = { storage, cookies, clock: browser.clock, crypto: new FakeCrypto(1) };
    return { binding: new LoginBinding(ports, new ClientKeys(publicToken), place, () => 30), document };
  }

  it.each(CHANGES)('moves when the scope changes from %s to %s', async (from, to) => {
    const browser = new Browser();
    const storage = new MemoryStorage();
    bindingOf(browser, storage, from).binding.settle({ session: {}, trusted_device_token: 'secret' });
    const { binding, document } = bindingOf(browser, storage, to);
    for (let login = 0; login < 2; login += 1) {
      expect(await binding.fields(false)).toMatchObject({ trusted_device_token: 'secret' });
      expect(browser.kept).toEqual([`${DEVICE} ${SCOPES[to][1]}`]);
    }
    expect(document.writes).toHaveLength(2);
    binding.settle({ session: {}, trusted_device_token: 'newer' });
    expect(browser.kept).toHaveLength(1);
  });

  it('is that of the own project, of several', async () => {
    const browser = new Browser();
    bindingOf(browser, new MemoryStorage(), 'a parent domain', 'public-token-test-b').binding.settle({
      trusted_device_token: 'of another project',
    });
    const storage = new MemoryStorage();
    const { binding } = bindingOf(browser, storage, 'the defaults');
    binding.settle({ trusted_device_token: 'own' });
    const again = bindingOf(browser, storage, 'the defaults').binding;
    expect(await again.fields(false)).toMatchObject({ trusted_device_token: 'own' });
  });

  it('stays where a damaged record says nothing of it', async () => {
    const browser = new Browser();
    const storage = new MemoryStorage();
    bindingOf(browser, storage, 'the defaults').binding.settle({ trusted_device_token: 'secret' });
    for (const text of ['', ';;', 'x;/a=b;', 'x;/;a\u0000', 'x;relative;', 'x;/;;;;']) {
      storage.set(new ClientKeys('public-token-test-a').storage('trusted_device'), text);
      const { binding, document } = bindingOf(browser, storage, 'the defaults');
      expect(await binding.fields(false)).toMatchObject({ trusted_device_token: 'secret' });
      expect(document.writes).toEqual([]);
    }
  });
});

describe('a damaged record of the cookies', () => {
  it.each([
    '',
    ' ',
    'x',
    '1 2 3',
    '1 p ;;;;',
    '1 p a=b;c;d;/;',
    '1 p a;b;c;/x\u0000;',
    '{"a":1}',
    `1 p ${';'.repeat(40)}`,
  ])('changes nothing: %j', async (text) => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client);
    const known = sessionOf(first);
    first.client.destroy();
    first.adapters.storage.set(`stytch_sdk_state_${app.publicToken}::cookies`, text);
    const { client } = await browser.open(app, PAGE);
    expect([client.session.getSync()?.session_id, browser.kept]).toEqual([known, pairAt('the defaults')]);
    await client.session.revoke();
    expect(browser.kept).toEqual([]);
  });
});
