import type { KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { hashSlots } from '#provider/accounts/passwords/hash.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type ProviderResponse, type Provider } from '../kit/harness.ts';
import { at } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 30 };
const GOOD = 'correct horse battery staple 9';
const STRANGER = '198.51.100.1';
const OWNERS = ['password@example.com', 'passwordless@example.com'];
const NOBODYS = ['nobody@example.com', 'pending@example.com'];

/** The headers that differ in every reply. */
const OWN_TO_A_REPLY = new Set(['date', 'x-request-id']);

describe.each(EITHER_DATABASE)('a stranger’s view of accounts, on %s', (_, url) => {
  let provider: Provider;
  let app: Provider['app'];
  const statements: string[] = [];

  beforeAll(async () => {
    provider = await makeProvider(url);
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(node.kind);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    app = createApp({ ...provider.services, loopback: true, db: provider.services.db.withPlugin(counting) });
    await provider.post('/passwords', { email: 'password@example.com', password: GOOD, ...minutes });
    await provider.signIn('passwordless@example.com');
    await provider.sendCode('pending@example.com');
    // The hash that replaces a missing one is made once, before the measured calls.
    await provider.post('/passwords/authenticate', { email: 'first@example.com', password: 'wrong', ...minutes });
  });
  afterAll(() => provider.close());
  afterEach(() => vi.restoreAllMocks());
  beforeEach(() => {
    provider.clock.time += 60 * MINUTE;
  });

  /** Everything that a stranger can see of a call, and the amount of work that the server did. */
  async function seen(path: string, body: object): Promise<unknown> {
    statements.length = 0;
    // Counts the hashes, which take most of the time of a login.
    const hashes = vi.spyOn(hashSlots, 'run').mockClear();
    const reply: ProviderResponse = await at(app, STRANGER).post(path, { ...body });
    const shown = JSON.stringify(reply.body).replace(/request-id-test-[0-9a-f-]+/u, '');
    const headers = [...reply.headers].filter(([name]) => !OWN_TO_A_REPLY.has(name));
    return { status: reply.status, shown, headers, statements: [...statements], hashes: hashes.mock.calls.length };
  }

  async function expectAlike(path: string, bodyFor: (email: string) => object): Promise<unknown> {
    const [first, ...others] = [...OWNERS, ...NOBODYS];
    const known = await seen(path, bodyFor(first ?? ''));
    expect(statements.length).toBeGreaterThan(1);
    for (const email of others) expect([email, await seen(path, bodyFor(email))]).toEqual([email, known]);
    return known;
  }

  it('the reset of a password tells nothing about the account', async () => {
    const before = (await provider.inbox()).length;
    const known = await expectAlike('/passwords/email/reset/start', (email) => ({ email }));
    expect(known).toMatchObject({ status: 200 });
    // Only the existing user gets a mail.
    const mailed = (await provider.inbox()).slice(0, (await provider.inbox()).length - before);
    expect(new Set(mailed.map(({ to }) => to))).toEqual(new Set(OWNERS));
    expect(mailed).toHaveLength(OWNERS.length);
  });

  it('a link that was never sent belongs to no user', async () => {
    await seen('/passwords/email/reset/start', { email: 'nobody@example.com' });
    const links = await provider.services.db
      .selectFrom('magic_links')
      .selectAll()
      .where('email_id', 'is', null)
      .execute();
    expect(links.length).toBeGreaterThan(0);
    expect(links.every(({ adds_to, address }) => adds_to === null && address === null)).toBe(true);
    const users = await provider.services.db.selectFrom('emails').select('email').execute();
    expect(users.map(({ email }) => email)).not.toContain('nobody@example.com');
  });

  soakIt('the limit on resets is the same with and without an account', async () => {
    const counts = new Set<number>();
    for (const email of [...OWNERS, ...NOBODYS]) {
      let sent = 0;
      for (let i = 0; i < 15; i += 1) {
        if ((await at(app, STRANGER).post('/passwords/email/reset/start', { email })).status === 200) sent += 1;
      }
      counts.add(sent);
      provider.clock.time += 60 * MINUTE;
    }
    expect(counts.size).toBe(1);
  });

  it.each([
    ['/passwords/authenticate', { password: 'wrong' }],
    ['/passwords/existing_password/reset', { existing_password: 'wrong', new_password: GOOD }],
  ])('a wrong password at %s tells nothing about the account', async (path, fields) => {
    const known = await expectAlike(path, (email) => ({ email, ...fields, ...minutes }));
    expect(known).toMatchObject({ status: 401, hashes: 1 });
  });

  soakIt('the lock of a password is the same with and without an account', async () => {
    const counts = new Set<string>();
    for (const email of [...OWNERS, ...NOBODYS]) {
      const tries: number[] = [];
      for (let i = 0; i < 12; i += 1) {
        const body = { email, password: 'wrong', ...minutes };
        tries.push((await at(app, STRANGER).post('/passwords/authenticate', body)).status);
      }
      counts.add(tries.join(' '));
    }
    expect([...counts]).toHaveLength(1);
    expect([...counts][0]).toContain('429');
  });
});
