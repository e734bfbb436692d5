import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EITHER_DATABASE, type ProviderResponse, type Provider } from '../kit/harness.ts';
import { attachSteps, typeOf } from './attach-steps.ts';
import { makeTarget, tryEnrolment, uniqueEmail } from './attacker.ts';
import { RACES } from '#tests/soak.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('an account is attached while something else happens, on %s', (_, url) => {
  let provider: Provider;
  let steps: ReturnType<typeof attachSteps>;
  beforeAll(async () => {
    provider = await makeTarget(url);
    steps = attachSteps(provider);
  });
  afterAll(() => provider.close());

  const times = Array.from({ length: RACES }, (__, index) => [index]);

  it.each(times)('two requests with one token attach once (%i)', async () => {
    const { user_id, session } = await steps.person('owner');
    const token = await steps.goThere(await steps.begin(session));
    const replies = await Promise.all([steps.finish(token, session), steps.finish(token, session)]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
    expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([1, 1]);
  });

  it.each(times)('a sign-out is not undone by an attach (%i)', async () => {
    const { user_id, session } = await steps.person('owner');
    const token = await steps.goThere(await steps.begin(session));
    const [out, attached] = await Promise.all([
      provider.post('/sessions/revoke', {}, { session }),
      steps.finish(token, session),
    ]);
    expect([200, 401]).toContain(attached.status);
    // The token was replaced before the sign-out found its session: the person signs out again.
    if (out.status !== 200) expect(attached.status).toBe(200);
    expect(await steps.sessionsOf(user_id)).toBe(out.status === 200 ? 0 : 1);
    expect(await steps.accountsOf(user_id)).toBe(attached.status === 200 ? 1 : 0);
  });

  // The embedded database has one connection: there a sign-out comes before or after.
  listedIf(url !== undefined, it)(
    'a sign-out that is not committed yet ends the attach, which makes no session',
    async () => {
      const { user_id, session, session_id } = await steps.person('owner');
      const token = await steps.goThere(await steps.begin(session));
      const { db } = provider.services;
      let attaching: Promise<ProviderResponse> | undefined;
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('sessions').where('session_id', '=', session_id).execute();
        attaching = steps.finish(token, session);
        await vi.waitFor(
          async () => {
            const { rows } = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
            expect(rows).toHaveLength(1);
          },
          { interval: 10 },
        );
      });
      expect(typeOf((await attaching) ?? { body: {} })).toBe('unauthorized_credentials');
      expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([0, 0]);
    },
  );

  // Each of the two changes the account, which ends what was begun before it: the person begins that again.
  soakIt.each(times)('an enrolment of a second factor comes before the attach or after it (%i)', async () => {
    const { email, user_id, session } = await steps.person('owner');
    const own = String((await provider.signIn(email))['session_token']);
    const token = await steps.goThere(await steps.begin(session));
    const [{ entered }, attached] = await Promise.all([tryEnrolment(provider, own), steps.finish(token, session)]);
    const [isEnrolled, isAttached] = [entered.status === 200, attached.status === 200];
    expect([200, 'totp_not_found']).toContain(typeOf(entered));
    // The attach found its token before the enrolment ended that, or looked for it afterwards.
    expect([200, 'mfa_required', 'oauth_token_not_found']).toContain(typeOf(attached));
    expect(isEnrolled || isAttached).toBe(true);
    const apps = provider.services.db.selectFrom('totps').select('verified').where('user_id', '=', user_id);
    expect(await apps.execute()).toEqual(isEnrolled ? [{ verified: true }] : []);
    expect(await steps.accountsOf(user_id)).toBe(isAttached ? 1 : 0);
    expect(await steps.sessionsOf(user_id)).toBe(2);
    // The session without the second factor cannot try again, and without an app the enrolment can.
    expect(typeOf(await steps.finish(token, session))).toBe('oauth_token_not_found');
    if (!isEnrolled) expect((await tryEnrolment(provider, own)).entered.status).toBe(200);
  });

  soakIt.each(times)('a removed user gets no account (%i)', async () => {
    const { user_id, session } = await steps.person('owner');
    const token = await steps.goThere(await steps.begin(session));
    const remove = async () =>
      provider.services.db.deleteFrom('users').where('user_id', '=', user_id).executeTakeFirst();
    const [attached] = await Promise.all([steps.finish(token, session), remove()]);
    expect(attached.status).toBeLessThan(500);
    expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([0, 0]);
  });

  soakIt.each(times)('one of two users attaches an account (%i)', async () => {
    const people = [await steps.person('one'), await steps.person('two')];
    const account = uniqueEmail('shared');
    const tokens = await Promise.all(
      people.map(async ({ session }) => steps.goThere(await steps.begin(session), account)),
    );
    const replies = await Promise.all(people.map(({ session }, index) => steps.finish(tokens[index] ?? '', session)));
    expect(new Set(replies.map(typeOf))).toEqual(new Set([200, 'oauth_flow_callback_error']));
    const counts = await Promise.all(people.map(({ user_id }) => steps.accountsOf(user_id)));
    expect(new Set(counts)).toEqual(new Set([0, 1]));
  });
});
