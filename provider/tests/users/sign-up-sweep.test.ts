import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sweepSignUps } from '#provider/operation/retention/sign-ups.ts';
import { EITHER_DATABASE, MINUTE, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const DAY = 24 * 60 * MINUTE;
const PAGE = 'http://localhost:3000/authenticate';

interface SignUp {
  readonly user_id: string;
  readonly email: string;
}
type Change = (provider: Provider, user: SignUp) => Promise<unknown>;

const now = (provider: Provider): Date => new Date(provider.clock.time);
const set =
  (column: string, value: unknown): Change =>
  async ({ services }, { user_id }) =>
    sql`update users set ${sql.ref(column)} = ${value} where user_id = ${user_id}`.execute(services.db);

/** What keeps a sign-up that is due. */
const KEPT: Readonly<Record<string, Change>> = {
  'is managed by the app': set('managed', true),
  'is locked by an operator': set('locked_at', new Date(0)),
  'has verified the address': async ({ services }, { user_id }) =>
    services.db.updateTable('emails').set({ verified: true }).where('user_id', '=', user_id).execute(),
  'has verified a number': async (provider, { user_id }) =>
    provider.services.db
      .insertInto('phone_numbers')
      .values({
        phone_id: `phone-${user_id}`,
        user_id,
        phone_number: '+14155554000',
        verified: true,
        created_at: now(provider),
        added_in: null,
      })
      .execute(),
  'has a social account': async (provider, { user_id }) =>
    provider.services.db
      .insertInto('oauth_registrations')
      .values({
        oauth_user_registration_id: `oauth-${user_id}`,
        user_id,
        provider_type: 'google',
        provider_subject: user_id,
        profile_picture_url: '',
        locale: '',
        created_at: now(provider),
        refresh_token: null,
        added_in: null,
      })
      .execute(),
  'has a wallet': async (provider, { user_id }) =>
    provider.services.db
      .insertInto('crypto_wallets')
      .values({
        crypto_wallet_id: `wallet-${user_id}`,
        user_id,
        crypto_wallet_type: 'ethereum',
        crypto_wallet_address: user_id,
        created_at: now(provider),
        added_in: null,
      })
      .execute(),
  'has no address any more': async ({ services }, { user_id }) =>
    services.db.deleteFrom('emails').where('user_id', '=', user_id).execute(),
  'logged in a month ago': async (provider, { user_id }) =>
    provider.services.db
      .insertInto('known_networks')
      .values({
        user_id,
        network: 'x',
        last_login_at: new Date(provider.clock.time - 29 * DAY),
        second_factor_at: null,
      })
      .execute(),
  'has a code that is valid': async (provider, { email }) => provider.sendCode(email),
  'has a link that is valid': async (provider, { email }) =>
    provider.post('/magic_links/email/login_or_create', {
      email,
      login_magic_link_url: PAGE,
      signup_magic_link_url: PAGE,
    }),
  'has a session': async (provider, { email }) =>
    provider.post('/passwords', { email, password: 'violet tractor moon 88', session_duration_minutes: 60 }),
};

describe.each(EITHER_DATABASE)('the sweep of sign-ups, on %s', (_, url) => {
  const provider = suiteProvider(url);
  let people = 0;

  /** A pending sign-up that is due, and that nothing keeps. */
  async function signUp(): Promise<SignUp> {
    people += 1;
    const email = `due${people}@example.com`;
    await provider.post('/otps/email/login_or_create', { email });
    const { db } = provider.services;
    const { user_id } = await db
      .selectFrom('emails')
      .select('user_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('passcodes').where('user_id', '=', user_id).execute();
    await set('proof_due_at', new Date(provider.clock.time - MINUTE))(provider, { user_id, email });
    return { user_id, email };
  }
  const isThere = async (userId: string): Promise<boolean> =>
    (await provider.services.db.selectFrom('users').select('user_id').where('user_id', '=', userId).execute())
      .length === 1;

  it('removes one that nothing keeps, and none that is not due', async () => {
    const [due, later] = [await signUp(), await signUp()];
    await set('proof_due_at', new Date(provider.clock.time + MINUTE))(provider, later);
    expect(await sweepSignUps(provider.services, 100)).toBe(1);
    expect([await isThere(due.user_id), await isThere(later.user_id)]).toEqual([false, true]);
  });

  it.each(Object.keys(KEPT))('keeps one that %s', async (name) => {
    const [kept, removed] = [await signUp(), await signUp()];
    await KEPT[name]?.(provider, kept);
    await sweepSignUps(provider.services, 100);
    expect([await isThere(kept.user_id), await isThere(removed.user_id)]).toEqual([true, false]);
  });
});
