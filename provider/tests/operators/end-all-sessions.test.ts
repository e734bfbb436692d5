import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isAlive, uniqueEmail } from '../attacks/attacker.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { administer } from '../kit/managing.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** After a leak an operator ends the sessions of everybody (OWASP ASVS 5.0, 7.4.5). */
describe.each(EITHER_DATABASE)('the end of all sessions by an operator, on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('ends those of every user, with a row of the audit log for each, and lets everybody log in again', async () => {
    const emails = ['a', 'b', 'c'].map(uniqueEmail);
    const sessions: string[] = [];
    const users = new Set<string>();
    for (const email of [...emails, ...emails.slice(0, 1)]) {
      const { session_token, user_id } = await provider.signIn(email);
      sessions.push(String(session_token));
      users.add(String(user_id));
    }
    expect(await administer(provider.services, 'sessions.revoke', { all: true })).toEqual({ token: '4 ended.' });
    for (const session of sessions) expect(await isAlive(provider, session)).toBe(false);
    const rows = await provider.services.db
      .selectFrom('audit_log')
      .select(['user_id', 'actor_kind'])
      .where('event', '=', 'sessions_revoked')
      .execute();
    expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(users);
    expect(rows).toHaveLength(users.size);
    expect(rows.every(({ actor_kind }) => actor_kind === 'operator')).toBe(true);
    const again = await provider.signIn(emails[0] ?? '');
    expect(await isAlive(provider, again['session_token'])).toBe(true);
  });

  soakIt('goes through all of them, also more than it reads at once', async () => {
    const { user_id, session } = await provider.signIn(uniqueEmail('many'));
    const { db } = provider.services;
    const { session_id } = session as { readonly session_id: string };
    await sql`insert into users select (jsonb_populate_record(u, jsonb_build_object('user_id', 'user-test-' || n))).*
      from users u, generate_series(1, 120) n where user_id = ${user_id}`.execute(db);
    await sql`insert into sessions select (jsonb_populate_record(s,
      jsonb_build_object('user_id', 'user-test-' || n, 'session_id', 'session-test-' || n))).*
      from sessions s, generate_series(1, 120) n where session_id = ${session_id}`.execute(db);
    await administer(provider.services, 'sessions.revoke', { all: true });
    const left = await db.selectFrom('sessions').select('session_id').execute();
    expect(left).toEqual([]);
  });

  it.each([{}, { all: true, user: 'ada@example.com' }, { all: true, id: 'session-test-1' }])(
    'needs exactly one of the three: %j',
    async (fields) => {
      await expect(administer(provider.services, 'sessions.revoke', fields)).rejects.toThrow(
        'Give --user, --id or --all.',
      );
    },
  );
});
