import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, type Fields, otherThan } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * 60_000;

describe.each(EITHER_DATABASE)('the audit log, on %s', (_, url) => {
  const provider = suiteProvider(url);
  const rows = async (): Promise<readonly Fields[]> =>
    provider.services.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  const last = async (): Promise<Fields> => (await rows()).at(-1) ?? {};

  it('has who logged in and how, and no address', async () => {
    const { user_id, session } = await provider.signIn('ada@example.com');
    const row = await last();
    expect(row).toMatchObject({
      event: 'login',
      outcome: 'ok',
      user_id,
      actor_kind: 'user',
      actor_id: user_id,
      method: 'otp:email',
      details: { session_id: session.session_id },
      request_id: expect.stringMatching(/^request-id-/u),
    });
    expect(JSON.stringify(await rows())).not.toContain('ada@');
  });

  soakIt('has one row for each act, with who acted', async () => {
    const { seq } = await last();
    const password = 'violet tractor moon 88';
    const minutes = { session_duration_minutes: 60 };
    const { data } = await provider.post('/passwords', { email: 'bob@example.com', password, ...minutes });
    const { user_id, session_token: session } = data;
    const post = async (path: string, body: Fields, by = session as string) =>
      (await provider.post(path, body, { session: by })).status;
    expect(await post('/passwords/session/reset', { password: `${password}.` })).toBe(200);
    expect(
      (await provider.post('/passwords/authenticate', { email: 'bob@example.com', password, ...minutes })).status,
    ).toBe(401);
    const fresh = await provider.post('/passwords/authenticate', {
      email: 'bob@example.com',
      password: `${password}.`,
      ...minutes,
    });
    const mine = fresh.data['session_token'] as string;
    const { token } = await administer({ ...provider.services, metrics: NO_METRICS }, 'impersonate', {
      user: user_id,
      by: 'support-7',
      operator: 'root',
    });
    const acting = (await provider.post('/impersonation/authenticate', { impersonation_token: token })).data;
    const named = { name: { first_name: 'Bob' } };
    await provider.call('PUT', '/users/me', named, { session: acting['session_token'] as string });
    expect((await provider.call('DELETE', '/users/emails/nothing', undefined, { session: mine })).status).toBe(404);
    expect(await post('/sessions/revoke', {}, mine)).toBe(200);
    const added = (await rows()).filter((row) => Number(row['seq']) > Number(seq));
    expect(added.map(({ event, outcome, actor_kind, actor_id }) => [event, outcome, actor_kind, actor_id])).toEqual([
      ['sign_up', 'ok', 'user', user_id],
      ['password_changed', 'ok', 'user', user_id],
      ['login', 'refused', 'anonymous', null],
      ['login', 'ok', 'user', user_id],
      ['impersonation_token_made', 'ok', 'operator', 'root'],
      ['impersonation', 'ok', 'operator', 'support-7'],
      ['user_changed', 'ok', 'operator', 'support-7'],
      ['factor_removed', 'refused', 'user', user_id],
      ['logout', 'ok', 'user', user_id],
    ]);
    expect(new Set(added.map((row) => row['user_id']))).toEqual(new Set([user_id]));
    expect(JSON.stringify(added)).not.toMatch(/tractor|bob@/u);
  });

  soakIt('has refused codes of every user, up to a number in an hour for each', async () => {
    provider.clock.time += 61 * 60_000;
    const before = (await rows()).length;
    for (let index = 0; index < 25; index += 1) {
      const { code, method_id } = await provider.sendCode(`guess-${index}@example.com`);
      const body = { token: otherThan(code), method_id, session_duration_minutes: 60 };
      expect((await provider.post('/otps/authenticate', body)).status).toBe(404);
    }
    const added = (await rows()).slice(before);
    expect(added).toHaveLength(25);
    expect(new Set(added.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
    expect(new Set(added.map(({ user_id }) => user_id)).size).toBe(25);
    expect(added[0]).toMatchObject({ event: 'login', details: { error_type: 'otp_code_not_found' } });
    provider.clock.time += 61 * 60_000;
  });

  it('has changes of a name, up to a number in an hour of a user', async () => {
    const { session_token: session } = await provider.signIn('eve@example.com');
    const before = (await rows()).length;
    for (let index = 0; index < 22; index += 1) {
      const body = { name: { first_name: `Eve ${index}` } };
      expect((await provider.call('PUT', '/users/me', body, { session })).status).toBe(200);
    }
    expect(await rows()).toHaveLength(before + 20);
  });

  it('cannot be changed or emptied, and loses only what is old by the clock of the database', async () => {
    const { db } = provider.services;
    await provider.signIn('written@example.com');
    for (const statement of [
      `update audit_log set user_id = 'nobody'`,
      `delete from audit_log`,
      `truncate audit_log`,
      `truncate audit_log, emails cascade`,
    ]) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow(/append-only/u);
    }
    const old = (outcome: string, days: number) =>
      ({ event: 'login', outcome, actor_kind: 'user', created_at: new Date(Date.now() - days * DAY) }) as never;
    await db
      .insertInto('audit_log')
      .values([old('ok', 400), old('ok', 364), old('refused', 31), old('refused', 29)])
      .execute();
    const before = (await rows()).length;
    await sweep(provider.services);
    expect(await rows()).toHaveLength(before - 2);
  });
});
