import { describe, expect, it } from 'vitest';
import { sessions } from '../../../src/application/api/index.ts';
import type { PorticoClient } from '../../../src/composition/client.ts';
import { isSession, parseState } from '../../../src/domain/sessions/session.ts';
import { isUser } from '../../../src/domain/users/user.ts';
import { errorReply, offline } from '../../../src/infrastructure/fake/fake-reply.ts';
import type { FakeTab } from '../../../src/infrastructure/fake/fake-world.ts';
import { DocumentCookies } from '../../../src/infrastructure/storage/document-cookies.ts';
import { IndexedDbOutbox } from '../../../src/infrastructure/storage/indexed-db-outbox.ts';
import { WebStorage, type StorageArea, type StorageEvents } from '../../../src/infrastructure/storage/web-storage.ts';
import { Random } from './resilience/random.ts';
import { Traps } from './resilience/traps.ts';
import { STATE_KEY, TestWorld } from './world.ts';
import { SOAK } from '../../soak.ts';

const D = { session_duration_minutes: 60 };
const CYCLE_MS = 180_000;

/** Every key that the client reads. */
const KEYS = [
  STATE_KEY,
  ...['bootstrap', 'refresh', 'persistent_id', 'pkce_magic_links', 'pkce_password_resets', 'pkce_oauth'].map(
    (key) => `${STATE_KEY}::${key}`,
  ),
];

const SESSION = { session_id: 's', user_id: 'u', expires_at: '2099-01-01T00:00:00Z' };
const USER = { user_id: 'u', roles: [] };
const LATER = Date.UTC(2099, 0, 1);

const POISONS: readonly string[] = [
  '',
  ' ',
  '\0',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  'NaN',
  '1e999',
  '""',
  '"text"',
  '"\\ud800"',
  '[]',
  '[null]',
  '[[]]',
  '{}',
  '{',
  '}',
  '{"a":',
  "{'user':1}",
  '[object Object]',
  '<script>alert(1)</script>',
  '\ufeff{}',
  'x'.repeat(1_000_000),
  '['.repeat(100_000),
  '{"a":'.repeat(10_000),
  `"${'\\u0000'.repeat(10_000)}"`,
  // The state.
  '{"user":null,"session":null}',
  '{"user":{},"session":{}}',
  JSON.stringify({ user: USER }),
  JSON.stringify({ session: SESSION }),
  JSON.stringify({ user: USER, session: null }),
  JSON.stringify({ user: [], session: [] }),
  JSON.stringify({ user: 'u', session: 's' }),
  JSON.stringify({ user: { user_id: 1 }, session: SESSION }),
  JSON.stringify({ user: { user_id: '' }, session: SESSION }),
  JSON.stringify({ user: USER, session: { ...SESSION, session_id: '' } }),
  JSON.stringify({ user: USER, session: { ...SESSION, session_id: {} } }),
  JSON.stringify({ user: USER, session: { ...SESSION, expires_at: 'soon' } }),
  JSON.stringify({ user: USER, session: { ...SESSION, expires_at: 1e15 } }),
  JSON.stringify({ user: USER, session: { ...SESSION, expires_at: '+275760-09-13T00:00:00Z' } }),
  JSON.stringify({ user: USER, session: SESSION }),
  JSON.stringify({ user: { ...USER, roles: 'admin' }, session: SESSION }),
  JSON.stringify({ user: { ...USER, roles: [{}, null, 1] }, session: SESSION }),
  JSON.stringify({ version: 9, state: { user: USER, session: SESSION } }),
  '{"__proto__":{"user":{"user_id":"u"},"session":{"session_id":"s","expires_at":"2099-01-01T00:00:00Z"}}}',
  '{"user":{"user_id":"u","__proto__":{"polluted":1}},"session":{"session_id":"s","expires_at":"2099-01-01T00:00:00Z"}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  // The record of refreshing.
  JSON.stringify({ count: 1, at: LATER, failures: 0, next: LATER, notBefore: LATER }),
  JSON.stringify({ count: 1, at: 0, failures: 0, next: 1e300, notBefore: 1e300 }),
  JSON.stringify({ count: 1, at: 0, failures: -1_000, next: 0, notBefore: 0 }),
  JSON.stringify({ count: 1e300, at: 0, failures: 1e300, next: 0, notBefore: 0 }),
  JSON.stringify({ count: -1, at: -1e300, failures: 0, next: -1e300, notBefore: -1e300 }),
  JSON.stringify({ count: 1, at: 0, failures: 0, next: 0, notBefore: 0, asking: 1e300 }),
  JSON.stringify({ count: 1, at: 0, failures: 0, next: 0, notBefore: 0, asking: 'now' }),
  // Bootstrap.
  '{"captcha_settings":5,"email_domains":[1,{}],"rbac_policy":{"roles":[{"role_id":1}]},"vertical":"B2B"}',
  '{"rbac_policy":{"roles":{"length":1e9},"resources":[{"resource_id":"__proto__","actions":["x"]}]}}',
  // Proof keys and names.
  '{"code_verifier":1,"code_challenge":null}',
  '{"code_verifier":"","code_challenge":""}',
  'persistent-id-\r\nx-evil: 1',
  `persistent-id-${'x'.repeat(100)}`,
];

/** Throws what is not as it must be after any damage: all or nothing, and both halves valid. */
function expectSound(client: PorticoClient, tab: Pick<FakeTab, 'storage' | 'cookies'>): void {
  const session = client.session.getSync();
  const user = client.user.getSync();
  expect(session === null).toBe(user === null);
  if (session !== null) expect([isSession(session), isUser(user)]).toEqual([true, true]);
  // Never an intermediate session beside a session.
  expect(
    tab.cookies.get('stytch_intermediate_session_token') !== null && tab.cookies.get('stytch_session') !== null,
  ).toBe(false);
}

/** A login works, whatever was there before. */
async function expectLogin(world: TestWorld, client: PorticoClient): Promise<void> {
  const { session } = await world.signIn(client, 'next@example.com');
  expect(client.session.getSync()?.session_id).toBe(session.session_id);
  expect(client.session.getTokens()).not.toBeNull();
}

async function expectLinkLogin(world: TestWorld, client: PorticoClient): Promise<void> {
  await client.magicLinks.email.loginOrCreate('link@example.com');
  await client.magicLinks.authenticate(world.server.inbox[0]?.token ?? '', D);
  expect(client.user.getSync()?.emails[0]?.email).toBe('link@example.com');
}

const MUTATIONS = SOAK ? 20_000 : 60;
/** Every poison under every key in soaks; else all under that of the state, and each under every other one of the others. */
const poisonsOf = (key: string): readonly string[] =>
  POISONS.filter((_, at) => SOAK || key === STATE_KEY || (at + KEYS.indexOf(key)) % 2 === 0);

describe('poison in storage', () => {
  it(`of ${POISONS.length} kinds, under every key, before the page starts`, async () => {
    const traps = new Traps();
    for (const key of KEYS) {
      for (const poison of poisonsOf(key)) {
        const world = new TestWorld();
        world.storage.values.set(key, poison);
        const { client, tab } = world.open({ telemetry: false });
        expectSound(client, tab);
        await world.settle();
        expectSound(client, tab);
        expect(await client.rbac.isAuthorized('__proto__', 'x')).toBe(false);
        await expectLogin(world, client);
        expect(parseState(tab.storage.get(STATE_KEY))?.session?.session_id).toBe(client.session.getSync()?.session_id);
        const before = world.transport.requestsTo(sessions.authenticate).length;
        await world.clock.advance(2 * CYCLE_MS);
        const asked = world.transport.requestsTo(sessions.authenticate).length - before;
        expect(asked, `${key}: ${poison.slice(0, 80)}`).toBeGreaterThanOrEqual(1);
        expect(asked, `${key}: ${poison.slice(0, 80)}`).toBeLessThanOrEqual(3);
        client.destroy();
      }
    }
    expect('polluted' in {}).toBe(false);
    expect(await traps.close()).toEqual([]);
  });

  it('of the same kinds, as the write of another tab: one notification at most', async () => {
    const traps = new Traps();
    for (const key of KEYS) {
      for (const poison of poisonsOf(key)) {
        const world = new TestWorld();
        const { client, tab } = world.open({ telemetry: false });
        await world.signIn(client);
        let told = 0;
        client.session.onChange(() => void (told += 1));
        world.storage.tab().set(key, poison);
        expect(told).toBeLessThanOrEqual(1);
        expectSound(client, tab);
        await world.settle();
        expectSound(client, tab);
        await world.clock.advance(CYCLE_MS);
        expectSound(client, tab);
        await expectLogin(world, client);
        client.destroy();
      }
    }
    expect(await traps.close()).toEqual([]);
  });

  it(`by ${MUTATIONS} mutations of what the client itself wrote`, async () => {
    const traps = new Traps();
    const random = new Random(7);
    const seed = new TestWorld();
    seed.server.project['pkce_required_for_email_magic_links'] = true;
    const { client: first } = seed.open({ telemetry: false });
    await seed.signIn(first);
    await first.magicLinks.email.loginOrCreate('a@b.co');
    await seed.clock.advance(CYCLE_MS);
    const written = [...seed.storage.values];
    first.destroy();
    expect(written.length).toBeGreaterThanOrEqual(5);

    for (let turn = 0; turn < MUTATIONS; turn += 1) {
      const world = new TestWorld();
      world.server.project['pkce_required_for_email_magic_links'] = true;
      const before = turn % 2 === 0;
      const opened = before ? null : world.open({ telemetry: false });
      if (opened !== null) await world.signIn(opened.client);
      for (const [key, value] of written) {
        const damaged = random.chance(0.6) ? mutated(value, random) : value;
        if (opened === null) world.storage.values.set(key, damaged);
        else world.storage.tab().set(key, damaged);
      }
      const { client, tab } = opened ?? world.open({ telemetry: false });
      expectSound(client, tab);
      await world.settle();
      expectSound(client, tab);
      if (turn % 4 < 2) await expectLogin(world, client);
      else await expectLinkLogin(world, client);
      client.destroy();
    }
    expect(await traps.close()).toEqual([]);
  });

  it('makes no storm: a record that says a thousand tries less than none does not bring a thousand tries', async () => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    await world.signIn(client, 'ada@example.com', 600);
    world.transport.answer(sessions.authenticate, () => offline());
    const now = world.clock.now();
    world.storage
      .tab()
      .set(`${STATE_KEY}::refresh`, JSON.stringify({ count: 1, at: now, failures: -1_000, next: now, notBefore: now }));
    await world.clock.advance(CYCLE_MS + 60_000);
    expect(world.transport.requestsTo(sessions.authenticate).length).toBeLessThan(10);
    client.destroy();
  });
});

function mutated(value: string, random: Random): string {
  const at = random.between(0, value.length);
  switch (random.between(0, 5)) {
    case 0:
      return value.slice(0, at);
    case 1:
      return value.slice(0, at) + String.fromCharCode(random.between(0, 0xffff)) + value.slice(at + 1);
    case 2: {
      const bit = 1 << random.between(0, 7);
      return value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ bit) + value.slice(at + 1);
    }
    case 3:
      return value.slice(at) + value.slice(0, at);
    case 4:
      return value.replace(/:"[^"]*"/u, random.pick([':1', ':null', ':[]', ':{}', ':true', ':""']));
    default:
      return value.replaceAll(/\d+/gu, (digits) =>
        random.chance(0.3) ? random.pick(['-1', '0', '1e300', '"x"']) : digits,
      );
  }
}

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
