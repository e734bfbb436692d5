import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { lockContact } from '#provider/accounts/users/contacts.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { DATABASES, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

describe.runIf(POSTGRES !== undefined)('an address whose user is locked', () => {
  const provider = suiteProvider(POSTGRES);

  const run = async (statement: string): Promise<readonly Fields[]> =>
    (await sql<Fields>`${sql.raw(statement)}`.execute(provider.services.db)).rows;

  /** Someone waits for another transaction. */
  async function waiting(): Promise<void> {
    const wait = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await run(wait)).length === 0);
  }

  it.each([
    ['verified', 'update emails set verified = true', { contact: { kind: 'email', verified: true } }],
    ['removed', 'delete from emails', undefined],
    ['of another user', `update emails set user_id = 'user-test-other'`, undefined],
  ])('is read as whoever held the user before left it: %s', async (name, change, left) => {
    const { db } = provider.services;
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    for (const user of ['other', email])
      await run(`insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
        values ('user-test-${user}', now(), 'active', '{}', '{}', '{}', '[]') on conflict do nothing`);
    await run(`insert into emails (email_id, user_id, email, email_key, verified, created_at) values
      ('email-test-${email}', 'user-test-${email}', '${email}', '${email}', false, now())`);
    const { second } = await transaction(db, async (tx) => {
      await lockUser(tx, `user-test-${email}`);
      const asked = transaction(db, (other) => lockContact(other, 'email', `email-test-${email}`));
      await waiting();
      await sql.raw(`${change} where email_id = 'email-test-${email}'`).execute(tx);
      // In an object, so that this transaction does not wait for it.
      return { second: asked };
    });
    const found = await second;
    if (left === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(left);
  });

  it('is not written by a login', async () => {
    const row = () => run(`select xmin::text, xmax::text from emails where email_key = 'ada@example.com'`);
    await provider.signIn('ada@example.com');
    const before = await row();
    await provider.signIn('ada@example.com');
    expect(await row()).toEqual(before);
  });
});
