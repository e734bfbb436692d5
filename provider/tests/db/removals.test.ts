import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueImpersonationToken } from '#provider/accounts/access/impersonation.ts';
import type { Db } from '#provider/base/db/database.ts';
import { startEnrolment } from '#provider/operation/operators/people/ceremonies.ts';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import { consent, fromServer, makeTarget, uniqueEmail } from '../attacks/attacker.ts';
import { DATABASES, type Fields, isSecond, type Provider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { CHALLENGE } from '../kit/oauth-harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { listedIf } from '#tests/soak-tests.ts';

/**
 * A user is removed, or signed out, while requests of that user are being answered. On PostgreSQL every request has begun, and
 * waits for the user's row. The embedded database answers one after another.
 */
describe.each(DATABASES)('requests of a user who is removed meanwhile, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const server = async (path: string, fields: Fields) => fromServer(provider, path, fields);

  const blocked = async (): Promise<number> => {
    const { rows } = await sql<{ blocked: number }>`select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(provider.services.db);
    return rows[0]?.blocked ?? 0;
  };

  /** Locks the user, begins the requests, and does this to the user once all of them wait. A deadlock rejects. */
  async function meanwhile<R>(
    userId: string,
    ending: (tx: Db) => Promise<unknown>,
    begin: () => Promise<R>[],
    before: typeof ending = async () => undefined,
  ) {
    let requests: Promise<R>[] = [];
    await provider.services.db.transaction().execute(async (tx) => {
      if (url !== undefined) await sql`set local deadlock_timeout = '10ms'`.execute(tx);
      await lockUser(tx, userId);
      await before(tx);
      requests = begin();
      if (url !== undefined) await vi.waitFor(async () => expect(await blocked()).toBe(requests.length), { interval: 10 });
      await ending(tx);
    }); // prettier-ignore
    const answers = await Promise.all(requests);
    expect(provider.traces).toEqual([]);
    return answers;
  }
  const removing = (userId: string) => async (tx: Db) => removeUser(tx, userId);

  it('a request of the session is refused, and signs out', async () => {
    const { user_id, session_token } = await provider.signIn(uniqueEmail('removed'));
    const own = { session: String(session_token) };
    const wallet = { crypto_wallet_type: 'ethereum', crypto_wallet_address: new SoftwareWallet().address };
    const answers = await meanwhile(String(user_id), removing(String(user_id)), () => [
      provider.post('/webauthn/register/start', { domain: 'localhost' }, own),
      provider.post('/crypto_wallets/authenticate/start/secondary', wallet, own),
      provider.post('/otps/email/send/secondary', { email: uniqueEmail('added') }, own),
      provider.post('/magic_links/email/send/secondary', { email: uniqueEmail('added') }, own),
    ]);
    expect(answers.map(({ body }) => body['error_type'])).toEqual(answers.map(() => 'unauthorized_credentials'));
  });

  listedIf(!isSecond(url), it)('requests of the app’s own server and of the operator are refused', async () => {
    const { user_id } = await provider.signIn(uniqueEmail('removed'));
    const person = { user_id: String(user_id), impersonator_id: 'me', impersonator_email_address: '' };
    const attach = (await server('/oauth/attach', { provider: 'google', user_id })).body['oauth_attach_token'];
    const fields = { public_token: PUBLIC_TOKEN, oauth_attach_token: String(attach), code_challenge: CHALLENGE };
    const form = { method: 'POST', body: new URLSearchParams(fields) };
    const typeOf = async (asked: ReturnType<typeof server>) => String((await asked).body['error_type']);
    const types = await meanwhile(person.user_id, removing(person.user_id), () => [
      typeOf(server('/webauthn/register/start', { domain: 'localhost', user_id })),
      typeOf(server('/magic_links/email/send', { email: uniqueEmail('added'), user_id })),
      issueImpersonationToken(provider.services, person).then(String, (refusal: Fields) => String(refusal['type'])),
      Promise.resolve(provider.app.request('/v1/public/oauth/google/start', form)).then(({ status }) => String(status)),
    ]);
    expect(types).toEqual(['user_not_found', 'user_not_found', 'user_not_found', '404']);
  });

  listedIf(!isSecond(url), it)('the invitation of an operator who is removed is refused', async () => {
    const by = { name: 'root', address: null, request_id: null };
    const token = await inviteOperator(provider.services, { name: 'Ada', role: 'admin' }, by);
    const remove = async (tx: Db) => tx.deleteFrom('operators').where('name', '=', 'Ada').execute();
    const enrol = async () => startEnrolment(provider.services, { origin: 'https://ops.example.com' }, token);
    const begin = () => [enrol().catch((refusal: unknown) => refusal)];
    const refusals = await meanwhile('', async () => undefined, begin, remove);
    expect(refusals).toMatchObject([{ type: 'invite_not_found' }]);
  });

  listedIf(!isSecond(url), it)('messages to the address find no user, or sign up a new one', async () => {
    const email = uniqueEmail('removed');
    const { user_id } = await provider.signIn(email);
    const answers = await meanwhile(String(user_id), removing(String(user_id)), () => [
      provider.post('/magic_links/email/send/primary', { email }),
      provider.post('/magic_links/email/login_or_create', { email }),
      provider.post('/passwords/email/reset/start', { email }),
    ]);
    expect(answers.map(({ status }) => [200, 404].includes(status))).toEqual([true, true, true]);
    expect(answers[1]?.status).toBe(200);
  });

  listedIf(!isSecond(url), it)(
    'an invitation to an address whose unfinished sign-up ends is sent to a new user',
    async () => {
      const email = uniqueEmail('invited');
      await provider.sendLink(email);
      const { user_id } = await provider.services.db.selectFrom('emails').select('user_id').where('email', '=', email).executeTakeFirstOrThrow(); // prettier-ignore
      const answers = await meanwhile(user_id, removing(user_id), () => [
        server('/magic_links/email/invite', { email }),
      ]);
      expect(answers).toMatchObject([{ status: 200 }]);
      expect(answers[0]?.body['user_id']).not.toBe(user_id);
    },
  );

  it('a sign-out does not deadlock with the server’s renewal of the session', async () => {
    const { user_id, session, session_token } = await provider.signIn(uniqueEmail('out'));
    const revoke = async (tx: Db) =>
      tx.deleteFrom('sessions').where('session_id', '=', String(session['session_id'])).execute();
    const fields = { session_token, session_custom_claims: { plan: 'pro' } };
    const answers = await meanwhile(String(user_id), revoke, () => [server('/sessions/authenticate', fields)]);
    expect(answers).toMatchObject([{ status: 404, body: { error_type: 'session_not_found' } }]);
  });

  it('the end of a session by the server does not deadlock with the end of all access', async () => {
    const { user_id, session, session_token } = await provider.signIn(uniqueEmail('out'));
    expect((await consent(provider, String(session_token))).status).toBe(200);
    const of = (tx: Db, table: 'oauth_grants' | 'sessions') =>
      tx.deleteFrom(table).where('user_id', '=', String(user_id)).execute();
    const end = () => [server('/sessions/revoke', { session_id: session['session_id'] })];
    const answers = await meanwhile(
      String(user_id),
      (tx) => of(tx, 'sessions'),
      end,
      (tx) => of(tx, 'oauth_grants'),
    );
    expect(answers).toMatchObject([{ status: 200 }]);
  });
});
