import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ports, TransportPort } from '../../../src/application/ports/index.ts';
import type { CookieOptions } from '../../../src/application/session/cookie-options.ts';
import { PorticoClient } from '../../../src/composition/client.ts';
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
      const reply = await inner.send(request);
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
      storage: Object.assign(Object.create(storage) as MemoryStorage, {
        set: (key: string, value: string) => {
          stored.push(key);
          storage.set(key, value);
        },
      }),
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
