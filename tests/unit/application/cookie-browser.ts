/** A browser with its cookies, projects whose pages it shows, and the scopes that the cookies may have. */
import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Ports, TransportPort } from '#application/ports/index.ts';
import type { CookieOptions } from '#application/session/cookie-options.ts';
import { PorticoClient } from '#composition/client.ts';
import { FakeLock } from '#kit/ports/fake-lock.ts';
import { MemoryStorage, StorageBus } from '#kit/ports/memory-storage.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { CookieDocument, type CookieStore } from '../infrastructure/support/cookie-document.ts';
import { TestWorld } from './world.ts';

export const PAGE = 'https://docs.example.com/shop/cart';
export const NAMES = ['stytch_session', 'stytch_session_jwt', 'stytch_intermediate_session_token'];

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session JWT as the provider writes it; nobody checks its signature here. */
function jwtOf(
  project: string,
  { session, session_token }: Record<string, unknown>,
  { stamp, isHashed }: { readonly stamp: string; readonly isHashed: boolean },
): string {
  const token_hash = createHash('sha256').update(String(session_token)).digest().subarray(0, 16).toString('base64url');
  const { session_id: id } = session as { session_id: string };
  const claim = { id, ...(isHashed && { token_hash }) };
  return `${base64url({ alg: 'RS256' })}.${base64url({ aud: [project], 'https://stytch.com/session': claim })}.${stamp}`;
}

/** A project with its own server. Its JWTs name it, and their token unless the server is another one. */
export function makeProject(clock: VirtualClock, project: string, isHashed = true) {
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
      const session_jwt = jwtOf(project, data, { stamp: fake.split('.').at(-1) ?? '', isHashed });
      return { ...reply, text: JSON.stringify({ ...rest, data: { ...data, session_jwt } }) };
    },
  });
  return { project, world, withJwts, sent, publicToken: `public-token-test-${project}` };
}
export type Project = ReturnType<typeof makeProject>;

/** A browser: its cookies, and what belongs to each origin. */
export class Browser {
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
    onTestFinished(() => client.destroy());
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

export const sessionOf = ({ client }: { readonly client: PorticoClient }) =>
  client.session.getSync()?.session_id ?? null;

/** Options of the cookies, each with the domain and path that come of it. */
export const SCOPES = {
  'the defaults': [{}, 'docs.example.com /'],
  availableToSubdomains: [{ availableToSubdomains: true }, '.docs.example.com /'],
  'a parent domain': [{ domain: 'example.com' }, '.example.com /'],
  'a path': [{ path: '/shop' }, 'docs.example.com /shop'],
  'a domain and a path': [{ domain: 'example.com', path: '/shop' }, '.example.com /shop'],
} as const satisfies Record<string, readonly [CookieOptions, string]>;
export type ScopeName = keyof typeof SCOPES;
export const NAMED = Object.keys(SCOPES) as ScopeName[];
/** Each change from one of these scopes to another. */
export const CHANGES = NAMED.flatMap((from) => NAMED.filter((to) => to !== from).map((to) => [from, to] as const));
/** The cookies of a session in a scope, as `Browser.kept` has them. */
export const pairAt = (scope: ScopeName): readonly string[] =>
  NAMES.slice(0, 2).map((name) => `${name} ${SCOPES[scope][1]}`);
