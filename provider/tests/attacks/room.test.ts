import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_OF_A_KIND } from '#server-rules/accounts.ts';
import { EITHER_DATABASE, type ProviderResponse, type Provider } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';
import { attachSteps, typeOf } from './attach-steps.ts';
import {
  addressByLink,
  codeOf,
  enrolTotp,
  makeTarget,
  MINUTES,
  passkey,
  phone,
  secondAddress,
  uniqueEmail,
  wallet,
  type WayIn,
} from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** The columns that are unique in each table of factors, whose rows are copied. */
const UNIQUE = {
  emails: ['email_id', 'email', 'email_key'],
  phone_numbers: ['phone_id', 'phone_number'],
  webauthn_registrations: ['webauthn_registration_id', 'credential_id'],
  crypto_wallets: ['crypto_wallet_id', 'crypto_wallet_address'],
  oauth_registrations: ['oauth_user_registration_id', 'provider_subject'],
} as const;
type Table = keyof typeof UNIQUE;

const WAYS: readonly (readonly [Table, (provider: Provider) => WayIn])[] = [
  ['emails', secondAddress],
  ['emails', addressByLink],
  ['phone_numbers', phone],
  ['webauthn_registrations', passkey],
  ['crypto_wallets', wallet],
];

describe.each(EITHER_DATABASE)(`a user with ${MOST_OF_A_KIND} factors of a kind, on %s`, (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const countOf = async (table: Table, userId: string): Promise<number> =>
    (await provider.services.db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).length;

  /** Copies one row of the user until there are as many as a user may have. */
  async function fill(table: Table, userId: string): Promise<void> {
    const count = await countOf(table, userId);
    const changed = UNIQUE[table].map((column) => sql`${column}::text, (copied.${sql.ref(column)} || '-' || n)::text`);
    await sql`insert into ${sql.table(table)}
      select (jsonb_populate_record(null::${sql.table(table)}, to_jsonb(copied) || jsonb_build_object(${sql.join(changed)}))).*
      from (select * from ${sql.table(table)} where user_id = ${userId} limit 1) as copied,
        generate_series(1, ${sql.lit(MOST_OF_A_KIND - count)}) as n`.execute(provider.services.db);
    expect(await countOf(table, userId)).toBe(MOST_OF_A_KIND);
  }

  const expectRefused = async (answered: ProviderResponse, table: Table, userId: string): Promise<void> => {
    expect(typeOf(answered)).toBe('too_many_factors');
    expect(await countOf(table, userId)).toBe(MOST_OF_A_KIND);
  };

  it.each(oneOf(2, WAYS))('adds nothing to %s', async (table, way) => {
    const { user_id, session_token } = await provider.signIn(uniqueEmail('full'));
    const session = String(session_token);
    const first = await (await way(provider).begin(session))();
    expect(typeOf(first)).toBe(200);
    // Before the next one begins, because a change ends what is begun.
    await fill(table, String(user_id));
    const finish = await way(provider).begin(String(first.data['session_token'] ?? session));
    await expectRefused(await finish(), table, String(user_id));
  });

  it('attaches no social account', async () => {
    const steps = attachSteps(provider);
    const person = await steps.person('full');
    const first = await steps.finish(await steps.goThere(await steps.begin(person.session)), person.session);
    expect(typeOf(first)).toBe(200);
    const session = String(first.data['session_token']);
    await fill('oauth_registrations', person.user_id);
    const token = await steps.goThere(await steps.begin(session));
    await expectRefused(await steps.finish(token, session), 'oauth_registrations', person.user_id);
  });

  const tokenFor = (email: string) => browser(provider).token('google', { email, verified: 'yes' });
  const logIn = (token: string, session?: string) =>
    provider.post('/oauth/authenticate', { token, ...MINUTES }, session === undefined ? {} : { session });

  soakIt('links no social account by its address', async () => {
    const email = uniqueEmail('full');
    const { user_id } = await provider.signIn(email);
    const first = await logIn(await tokenFor(email));
    expect([typeOf(first), first.data['user_id']]).toEqual([200, user_id]);
    await fill('oauth_registrations', String(user_id));
    // The account is another one from now on, with the same address.
    await sql`update oauth_registrations set provider_subject = 'other-' || provider_subject where user_id = ${String(user_id)}`.execute(
      provider.services.db,
    );
    await expectRefused(await logIn(await tokenFor(email)), 'oauth_registrations', String(user_id));
  });

  soakIt('stores no social account that waited for the second factor, and logs in', async () => {
    const email = uniqueEmail('full');
    const { user_id, session_token } = await provider.signIn(email);
    const { secret } = await enrolTotp(provider, String(session_token));
    const waiting = await logIn(await tokenFor(email));
    expect(typeOf(waiting)).toBe(200);
    const others = { user_id: String(user_id), provider_type: 'microsoft', profile_picture_url: '', locale: '' };
    await provider.services.db
      .insertInto('oauth_registrations')
      .values({
        ...others,
        oauth_user_registration_id: `oauth-test-${String(user_id)}`,
        provider_subject: email,
        created_at: new Date(provider.clock.time),
        refresh_token: null,
        added_in: null,
      })
      .execute();
    await fill('oauth_registrations', String(user_id));
    provider.clock.time += 30_000;
    const proven = await provider.post(
      '/totps/authenticate',
      { totp_code: codeOf(provider, secret), ...MINUTES },
      { session: String(waiting.data['session_token']) },
    );
    expect(typeOf(proven)).toBe(200);
    expect(await countOf('oauth_registrations', String(user_id))).toBe(MOST_OF_A_KIND);
  });
});
