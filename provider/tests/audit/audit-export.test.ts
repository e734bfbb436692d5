import { describe, expect, it } from 'vitest';
import { exportAudit } from '#provider/operation/operators/audit/audit-export.ts';
import { audit } from '#provider/base/audit/record.ts';
import type { Actor, AuditEvent } from '#provider/base/audit/events.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { DATABASES, EITHER_DATABASE, type Fields, freshStore, MINUTE, otherThan, PATIENCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { managed } from '../kit/managing.ts';

describe.each(EITHER_DATABASE)('the export of the audit log, on %s', (_, url) => {
  const provider = suiteProvider(url);

  const page = async (after?: string, limit = 1000) => {
    const { rows, next } = await exportAudit(provider.services, { after, limit });
    return { rows: rows as readonly Fields[], next };
  };
  const write = async (event: AuditEvent, user_id: string | null = null): Promise<void> =>
    audit(provider.services, provider.services.db, { event, user_id, actor: { kind: 'system', id: null } });
  /** The last number that is settled, after all that was written before. */
  const settle = async (): Promise<string> => {
    provider.clock.time += MINUTE;
    const { rows } = await page();
    return String(rows.at(-1)?.['metadata'].sequence ?? 0);
  };

  it('goes on after events of a clock that was far ahead, once a later one is settled', async () => {
    const start = await settle();
    const { time } = provider.clock;
    provider.clock.time += 400 * 24 * 60 * MINUTE;
    for (let n = 0; n < 3; n += 1) await write('user_changed', `user-test-ahead-${n}`);
    provider.clock.time = time;
    expect((await page(start)).rows).toEqual([]);
    await write('user_changed', 'user-test-later');
    expect((await page(start)).rows).toEqual([]);
    await settle();
    const seen: string[] = [];
    for (let after: string | null = start; after !== null;) {
      const { rows, next }: Awaited<ReturnType<typeof page>> = await page(after, 2);
      seen.push(...rows.map(({ user }) => String((user as Fields)['uid'])));
      after = next;
    }
    expect(seen).toEqual(['user-test-ahead-0', 'user-test-ahead-1', 'user-test-ahead-2', 'user-test-later']);
  });

  it('has logins and refused ones as Authentication, with who, when and how', async () => {
    const start = await settle();
    const { user_id } = await provider.signIn('ada@example.com');
    const { method_id, code } = await provider.sendCode('ada@example.com');
    await provider.post('/otps/authenticate', { token: otherThan(code), method_id, session_duration_minutes: 60 });
    const time = provider.clock.time;
    await settle();
    const { rows } = await page(start);
    const logins = rows.filter(({ class_uid }) => class_uid === 3002);
    expect(logins).toMatchObject([
      {
        metadata: { version: '1.2.0', event_code: 'login', correlation_uid: expect.stringMatching(/^request-id-/u) },
        time,
        category_uid: 3,
        activity_id: 1,
        type_uid: 300_201,
        status_id: 1,
        user: { uid: user_id },
        actor: { user: { uid: user_id } },
        auth_protocol: 'otp:email',
      },
      { metadata: { event_code: 'login' }, type_uid: 300_201, status_id: 2, user: { uid: user_id } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('ada@');
  });

  it.each<[AuditEvent, string | null, number]>([
    ['user_created', 'user-test-x', 300_101],
    ['password_changed', 'user-test-x', 300_103],
    ['user_deleted', 'user-test-x', 300_106],
    ['user_locked', 'user-test-x', 300_109],
    ['factor_added', 'user-test-x', 300_110],
    ['factor_removed', 'user-test-x', 300_111],
    ['consent', 'user-test-x', 300_199],
    ['logout', 'user-test-x', 300_202],
    ['settings_reloaded', null, 600_399],
  ])('has %s by its type', async (event, user_id, type_uid) => {
    const start = await settle();
    await write(event, user_id);
    await settle();
    const { rows } = await page(start);
    expect(rows.map((row) => [row['metadata'].event_code, row['type_uid'], row['user']?.uid ?? null])).toEqual([
      [event, type_uid, user_id],
    ]);
  });

  it('has what OCSF requires of each class, and nothing of another one', async () => {
    const start = await settle();
    const by = (actor: Actor, event: AuditEvent, user_id: string | null = null) =>
      audit(provider.services, provider.services.db, { event, user_id, actor, method: 'otp:email' });
    await by({ kind: 'operator', id: 'ann' }, 'operator_login');
    await by({ kind: 'anonymous', id: null }, 'login');
    await by({ kind: 'system', id: null }, 'factor_added', 'user-test-x');
    await by({ kind: 'system', id: null }, 'settings_reloaded');
    await by({ kind: 'operator', id: 'ann' }, 'settings_reloaded');
    await settle();
    const parts = ['user', 'actor', 'api', 'src_endpoint', 'auth_protocol'];
    const { rows } = await page(start);
    const found = rows.map((row) => [
      row['class_uid'],
      Object.fromEntries(parts.filter((name) => name in row).map((name) => [name, row[name] as unknown])),
      (row['unmapped'] as Fields)['method'] ?? null,
    ]);
    const api = { api: { operation: 'settings_reloaded' }, src_endpoint: { uid: 'unknown' } };
    const ann = { user: { uid: 'ann' } };
    expect(found).toEqual([
      [3002, { user: { uid: 'ann' }, actor: ann, auth_protocol: 'otp:email' }, null],
      [3002, { user: { uid: 'unknown' }, auth_protocol: 'otp:email' }, null],
      [3001, { user: { uid: 'user-test-x' } }, 'otp:email'],
      [6003, { ...api, actor: { user: { uid: 'system' } } }, 'otp:email'],
      [6003, { ...api, actor: ann }, 'otp:email'],
    ]);
  });

  it('is a chain over all pages and calls, in which a lost line is noticed', async () => {
    const start = await settle();
    for (let n = 0; n < 7; n += 1) await write('user_changed', `user-test-${n}`);
    await settle();
    const lines: Fields[] = [];
    let after: string | null = start;
    while (after !== null) {
      const { rows, next } = await page(after, 3);
      lines.push(...rows);
      after = next;
    }
    const breaks = (given: readonly Fields[]): number => {
      const before = [Number(start), ...given.map(({ metadata }) => metadata.sequence as number)];
      return given.filter(({ unmapped }, at) => unmapped.previous !== before[at]).length;
    };
    expect(lines.map(({ user }) => user.uid)).toEqual(Array.from({ length: 7 }, (_each, n) => `user-test-${n}`));
    expect([breaks(lines), breaks(lines.filter((_line, at) => at !== 3)), breaks(lines.slice(1))]).toEqual([0, 1, 1]);
  });

  it('leaves out rows that an older transaction may still get in before', async () => {
    const start = await settle();
    await write('user_changed', 'user-test-early');
    expect((await page(start)).rows).toEqual([]);
    provider.clock.time += MINUTE;
    await write('user_changed', 'user-test-late');
    const { rows, next } = await page(start);
    expect([rows.map(({ user }) => user.uid as string), next]).toEqual([['user-test-early'], null]);
  });

  it('refuses a cursor that is no number', async () => {
    await expect(page('user-test-x')).rejects.toMatchObject({ type: 'bad_request' });
  });
});

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

describe.runIf(POSTGRES !== undefined)('the command that exports the audit log', () => {
  it('prints a line for each row of all pages, after the number that it is given', async () => {
    const { store, drop } = await freshStore(POSTGRES);
    const db = await openDatabase(store, undefined, PATIENCE);
    const row = { event: 'user_changed', outcome: 'ok', actor_kind: 'system', created_at: new Date(0) } as const;
    await db
      .insertInto('audit_log')
      .values(
        [1, 2, 3, 4, 5].map((n) => ({
          ...row,
          user_id: `user-test-${n}`,
          actor_id: null,
          method: null,
          network: null,
          request_id: null,
        })),
      ) // prettier-ignore
      .execute();
    await db.destroy();
    const at = ['--database-url', store.kind === 'postgres' ? store.url : ''];
    const lines = async (...more: readonly string[]) =>
      (await managed(at, 'audit', 'export', '--limit', '2', ...more)).split('\n').map((line) => JSON.parse(line) as Fields); // prettier-ignore
    const all = await lines();
    expect(all.map(({ user }) => user.uid as string)).toEqual([1, 2, 3, 4, 5].map((n) => `user-test-${n}`));
    const [, second] = all;
    expect(await lines('--after', String(second?.['metadata'].sequence))).toEqual(all.slice(2));
    await drop();
  });
});
