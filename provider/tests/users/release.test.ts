import { describe, expect, it } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { release } from '#provider/accounts/users/release.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const GOOD = 'violet tractor moon 88';
const minutes = { session_duration_minutes: 60 };

/** What `release` finds under the lock, which may be another thing than its caller saw. */
describe.each(EITHER_DATABASE)('an address that is taken from its user, on %s', (_, url) => {
  const provider = suiteProvider(url);
  const db = () => provider.services.db;
  let people = 0;

  /** A sign-up with a password, which has proven nothing. */
  async function signUp() {
    people += 1;
    const email = `person${people}@example.com`;
    const { data } = await provider.post('/passwords', { email, password: GOOD, ...minutes });
    return {
      email,
      user_id: String(data['user_id']),
      id: String(data['email_id']),
      session: String(data['session_token']),
    };
  }
  const releasing = (user_id: string, id: string) =>
    transaction(db(), (tx) => release(tx, { user_id, kind: 'email', method_id: id }));
  const addressesOf = async (user_id: string): Promise<readonly Fields[]> =>
    db().selectFrom('emails').selectAll().where('user_id', '=', user_id).execute();
  const isThere = async (user_id: string): Promise<boolean> =>
    (await db().selectFrom('users').select('user_id').where('user_id', '=', user_id).execute()).length === 1;

  it('stays with a user who verified it meanwhile', async () => {
    const { user_id, id } = await signUp();
    await db().updateTable('emails').set({ verified: true }).where('email_id', '=', id).execute();
    await expect(releasing(user_id, id)).rejects.toMatchObject({ type: 'duplicate_email' });
    expect(await addressesOf(user_id)).toHaveLength(1);
  });

  it('stays with a user whom the app manages since then', async () => {
    const { user_id, id } = await signUp();
    await db().updateTable('users').set({ managed: true }).where('user_id', '=', user_id).execute();
    await expect(releasing(user_id, id)).rejects.toMatchObject({ type: 'duplicate_email' });
    expect(await isThere(user_id)).toBe(true);
  });

  it('is not taken from a user who no longer has it, and the user stays', async () => {
    const [before, after] = [await signUp(), await signUp()];
    await db().updateTable('emails').set({ user_id: after.user_id }).where('email_id', '=', before.id).execute();
    await releasing(before.user_id, before.id);
    expect([await isThere(before.user_id), (await addressesOf(after.user_id)).length]).toEqual([true, 2]);
    await db().deleteFrom('emails').where('email_id', '=', before.id).execute();
    await releasing(before.user_id, before.id);
    expect(await isThere(before.user_id)).toBe(true);
  });

  it('takes the whole sign-up with it that has proven nothing', async () => {
    const { user_id, id } = await signUp();
    await releasing(user_id, id);
    expect(await isThere(user_id)).toBe(false);
  });

  it.each(['the only address', 'one of two addresses'])(
    'leaves a user who has proven a number without %s and without sessions',
    async (which) => {
      const { user_id, id, session } = await signUp();
      const row = { user_id, created_at: new Date(provider.clock.time), added_in: null };
      const phone_number = `+1415555${String(3000 + people)}`;
      await db()
        .insertInto('phone_numbers')
        .values({ ...row, phone_id: `phone-${user_id}`, phone_number, verified: true })
        .execute();
      const second = `second${people}@example.com`;
      if (which !== 'the only address') {
        await db()
          .insertInto('emails')
          .values({ ...row, email_id: `email-${user_id}`, email: second, email_key: second, verified: false })
          .execute();
      }
      await releasing(user_id, id);
      expect((await addressesOf(user_id)).map(({ email }) => email as unknown)).toEqual(
        which === 'the only address' ? [] : [second],
      );
      expect((await provider.call('GET', '/users/me', undefined, { session })).status).toBe(401);
      const passwords = await db().selectFrom('passwords').select('user_id').where('user_id', '=', user_id).execute();
      expect(passwords).toHaveLength(which === 'the only address' ? 0 : 1);
    },
  );
});
