import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe.each(EITHER_DATABASE)('login methods that one statement adds, on %s', (_, url) => {
  const provider = suiteProvider(url);
  let people = 0;

  const signIn = async (): Promise<string> => {
    people += 1;
    return String((await provider.signIn(`owner-${people}@example.com`))['user_id']);
  };
  /** Adds an address to each user in one statement. */
  const addAddresses = async (rows: readonly (readonly [user: string, address: string, verified: boolean])[]) => {
    const at = new Date(provider.clock.time);
    await provider.services.db
      .insertInto('emails')
      .values(
        rows.map(([user_id, email, verified]) => {
          return { email_id: `email-test-${email}`, user_id, email, email_key: email, verified, created_at: at };
        }),
      )
      .execute();
  };
  const noticesOf = (user_id: string) =>
    provider.services.db
      .selectFrom('notices')
      .select(['event', 'factor_type', 'factor_id', 'details'])
      .where('user_id', '=', user_id)
      .execute();
  const waitFor = async (user_id: string): Promise<void> => {
    const { db, clock } = provider.services;
    await sql`insert into intermediate_sessions (token_hash, user_id, factors, new_session_id, by_server, created_at, expires_at)
      values (${`hash of ${user_id}`}, ${user_id}, '[]', 'session', false, ${new Date(clock.now())}, ${new Date(clock.now() + 60_000)})`.execute(
      db,
    );
    await sql`insert into trusted_devices (device_id, user_id, token_hash, user_agent, ip_address, created_at, last_used_at, expires_at)
      values (${`device of ${user_id}`}, ${user_id}, ${`hash of ${user_id}`}, '', '', now(), now(), now())`.execute(db);
  };
  const trusted = async (user_id: string) => {
    const { rows } = await sql<{
      kind: string;
    }>`select 'login' as kind from intermediate_sessions where user_id = ${user_id}
      union select 'device' from trusted_devices where user_id = ${user_id} order by kind`.execute(
      provider.services.db,
    );
    return rows.map(({ kind }) => kind);
  };

  it('are told to each owner, with the id and the value of their own', async () => {
    const [ada, grace] = [await signIn(), await signIn()];
    await addAddresses([
      [ada, 'ada-2@example.com', true],
      [grace, 'grace-2@example.com', true],
      [grace, 'grace-3@example.com', false],
    ]);
    const created_at = expect.any(String) as string;
    const note = (value: string) => {
      const details = { value, created_at };
      return { event: 'factor.added', factor_type: 'email', factor_id: `email-test-${value}`, details };
    };
    expect(await noticesOf(ada)).toEqual([note('ada-2@example.com')]);
    expect(await noticesOf(grace)).toEqual([note('grace-2@example.com')]);
  });

  it('end the logins that lack a second factor and the trusted browsers of these users only', async () => {
    const [ada, grace, unproven] = [await signIn(), await signIn(), await signIn()];
    for (const user of [ada, grace, unproven]) await waitFor(user);
    await addAddresses([
      [ada, 'ada-4@example.com', true],
      [unproven, 'unproven-4@example.com', false],
    ]);
    expect([await trusted(ada), await trusted(grace), await trusted(unproven)]).toEqual([
      [],
      ['device', 'login'],
      ['device', 'login'],
    ]);
  });

  it('are not told to users whom the same transaction made, who have no older address', async () => {
    const { db, clock } = provider.services;
    const user_id = 'user-test-made-now';
    await db.transaction().execute(async (tx) => {
      await sql`insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
        values (${user_id}, ${new Date(clock.now())}, 'active', '{}', '{}', '{}', '[]')`.execute(tx);
      for (const n of [5, 6]) {
        const email = `made-${n}@example.com`;
        await tx.insertInto('emails').values({ email_id: email, user_id, email, email_key: email, verified: true, created_at: new Date(clock.now()) }).execute(); // prettier-ignore
      }
    });
    expect(await noticesOf(user_id)).toEqual([]);
  });
});
