import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { parseState } from '#domain/sessions/session.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { Random } from './resilience/random.ts';
import { Traps } from './resilience/traps.ts';
import { STATE_KEY, TestWorld } from './world.ts';
import { oneOf, SOAK } from '../../soak.ts';
import { soakIt } from '../../soak-tests.ts';
import { CYCLE_MS, expectSound, expectLogin, expectLinkLogin } from './storage-checks.ts';

/** Every key that the client reads. */
const KEYS = [
  STATE_KEY,
  ...[
    'bootstrap',
    'refresh',
    'refresh_claim',
    'persistent_id',
    'pkce_magic_links',
    'pkce_password_resets',
    'pkce_oauth',
  ].map((key) => `${STATE_KEY}::${key}`),
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
  // The claim of a refresh: "0", "-1", "NaN" and "1e999" are above.
  '1e300',
  String(LATER),
  // Bootstrap.
  '{"captcha_settings":5,"email_domains":[1,{}],"rbac_policy":{"roles":[{"role_id":1}]},"vertical":"B2B"}',
  '{"rbac_policy":{"roles":{"length":1e9},"resources":[{"resource_id":"__proto__","actions":["x"]}]}}',
  // Proof keys and names.
  '{"code_verifier":1,"code_challenge":null}',
  '{"code_verifier":"","code_challenge":""}',
  'persistent-id-\r\nx-evil: 1',
  `persistent-id-${'x'.repeat(100)}`,
];

/** Each damages some three of the entries, so that every kind of damage meets each of their 1,600 characters. */
const MUTATIONS = SOAK ? 4_000 : 60;

/** Every poison under every key in soaks; else all under that of the state, and a share of them under each of the others. */
const poisonsOf = (key: string): readonly string[] =>
  key === STATE_KEY ? POISONS : oneOf(18, POISONS, KEYS.indexOf(key));

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

  soakIt('of the same kinds, as the write of another tab: one notification at most', async () => {
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
