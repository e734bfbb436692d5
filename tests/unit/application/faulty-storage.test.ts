import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import type { PorticoClient } from '#composition/client.ts';
import { parseState } from '#domain/sessions/session.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';
import { WebStorage, type StorageArea, type StorageEvents } from '#infrastructure/storage/web-storage.ts';
import { Traps } from './resilience/traps.ts';
import { STATE_KEY, TestWorld } from './world.ts';
import { SOAK } from '../../soak.ts';
import { D, CYCLE_MS, expectSound, expectLogin, expectLinkLogin } from './storage-checks.ts';

type Mode =
  | 'the getter throws'
  | 'setItem throws'
  | 'setItem is ignored'
  | 'values are evicted'
  | 'cookies are ignored'
  | 'cookies throw'
  | 'IndexedDB is missing';

/** A browser's own storage, which begins to fail at the n-th call. */
class FaultyBrowser {
  private readonly values = new Map<string, string>();
  private readonly jar = new Map<string, string>();
  private calls = 0;

  constructor(
    private readonly mode: Mode,
    private readonly from: number,
  ) {}

  readonly events: StorageEvents = { addEventListener: () => undefined, removeEventListener: () => undefined };

  readonly area = (): StorageArea => {
    if (this.fails('the getter throws')) throw new DOMException('Denied', 'SecurityError');
    return {
      getItem: (key) => {
        if (this.fails('values are evicted')) this.values.clear();
        return this.values.get(key) ?? null;
      },
      setItem: (key, value) => {
        if (this.fails('setItem throws')) throw new DOMException('Full', 'QuotaExceededError');
        if (!this.fails('setItem is ignored')) this.values.set(key, value);
      },
      removeItem: (key) => void this.values.delete(key),
    };
  };

  readonly document = Object.defineProperty({ cookie: '' }, 'cookie', {
    get: (): string => {
      if (this.fails('cookies throw')) throw new DOMException('Denied', 'SecurityError');
      return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set: (text: string) => {
      if (this.fails('cookies throw')) throw new DOMException('Denied', 'SecurityError');
      if (this.fails('cookies are ignored')) return;
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(text) ?? [];
      if (text.includes('Expires=Thu, 01 Jan 1970')) this.jar.delete(name);
      else this.jar.set(name, value);
    },
  });

  /** What a page of this browser stands on. */
  ports(world: TestWorld): FakeTab {
    const { mode, area, events, document } = this;
    const missing = mode === 'IndexedDB is missing';
    return {
      ...world.tab('http://localhost:3000/'),
      storage: new WebStorage(area, events) as never,
      tabStorage: new WebStorage(area, events) as never,
      cookies: new DocumentCookies(document, world.clock) as never,
      ...(missing ? { outbox: new IndexedDbOutbox(() => undefined, 'outbox') as never } : {}),
    };
  }

  private fails(mode: Mode): boolean {
    if (this.mode !== mode) return false;
    this.calls += 1;
    return this.calls >= this.from;
  }
}

const MODES: readonly Mode[] = [
  'the getter throws',
  'setItem throws',
  'setItem is ignored',
  'values are evicted',
  'cookies are ignored',
  'cookies throw',
  'IndexedDB is missing',
];

/** The state of this page, its tokens and what it reads back of its storage agree, or all are empty. */
function expectAgreement(client: PorticoClient, ports: FakeTab, mode: Mode): void {
  expectSound(client, ports);
  const session = client.session.getSync();
  expect(client.session.getTokens() === null).toBe(session === null);
  const stored = parseState(ports.storage.get(STATE_KEY));
  expect(stored).not.toBeNull();
  // What the browser took away stays away until it is written next.
  if (mode === 'values are evicted' && stored?.session === null) return;
  expect(stored?.session?.session_id).toBe(session?.session_id);
}

describe.each(MODES)('storage of which %s', (mode) => {
  it('from any call on: login, refresh, links, sign-out and a reload leave no half-written session', async () => {
    const traps = new Traps();
    // Cookies that throw do so from the start: a page does not become a sandboxed one.
    for (let from = 1; from <= (mode === 'cookies throw' ? 1 : 20); from += SOAK ? 1 : 3) {
      const world = new TestWorld();
      world.server.project['pkce_required_for_email_magic_links'] = true;
      const faulty = new FaultyBrowser(mode, from);
      const ports = faulty.ports(world);
      const open = (adapters: FakeTab) => world.open({ adapters }).client;
      const client = open(ports);
      const check = (): void => expectAgreement(client, ports, mode);
      check();
      await expectLogin(world, client);
      check();
      const before = world.transport.requestsTo(sessions.authenticate).length;
      await world.clock.advance(3 * CYCLE_MS);
      check();
      expect(client.session.getSync(), `from ${from}`).not.toBeNull();
      const asked = world.transport.requestsTo(sessions.authenticate).length - before;
      expect(asked).toBeGreaterThanOrEqual(2);
      expect(asked).toBeLessThanOrEqual(4);

      await expectLinkLogin(world, client);
      check();
      await client.session.revoke();
      expect(client.session.getSync()).toBeNull();
      check();
      await expectLogin(world, client);
      world.transport.answer(sessions.revoke, () => errorReply(500, 'internal_server_error'));
      await client.session.revoke({ forceClear: true }).catch(() => undefined);
      expect(client.session.getSync()).toBeNull();
      check();
      await expectLogin(world, client);
      client.destroy();

      const reloaded = faulty.ports(world);
      const next = open(reloaded);
      expectSound(next, reloaded);
      await world.clock.advance(1_000);
      expectSound(next, reloaded);
      await expectLogin(world, next);
      expectAgreement(next, reloaded, mode);
      next.destroy();
      await world.clock.advance(1_000);
    }
    expect(await traps.close()).toEqual([]);
  });

  it('a link that comes back in a page that lost its verifier is refused with words, and may be asked for again', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    const faulty = new FaultyBrowser(mode, 1);
    const { client } = world.open({ adapters: faulty.ports(world) });
    await client.magicLinks.email.loginOrCreate('a@b.co');
    const token = world.server.inbox[0]?.token ?? '';
    client.destroy();
    const { client: next } = world.open({ adapters: faulty.ports(world) });
    const outcome: unknown = await next.magicLinks.authenticate(token, D).catch((error: unknown) => error);
    const lost = mode !== 'cookies are ignored' && mode !== 'cookies throw' && mode !== 'IndexedDB is missing';
    if (lost) expect(outcome).toMatchObject({ kind: 'api', error_type: 'pkce_expected_code_verifier' });
    else expect(next.session.getSync()).not.toBeNull();
    await expectLinkLogin(world, next);
    next.destroy();
  });
});
