import { sql, type LogEvent } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { listAudit } from '#provider/operation/operators/audit/audit-list.ts';
import { listUsers, type UserPage } from '#provider/operation/operators/users/list-users.ts';
import { BatchSize } from '#provider/operation/retention/batch-size.ts';
import { BOUNDS } from '#provider/operation/retention/bounds.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import {
  basic,
  EITHER_DATABASE,
  freshStore,
  makeProvider,
  PATIENCE,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { makeManyUsers, USERS } from '../kit/many-users.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** The tables that grow with the number of users. */
const LARGE: ReadonlySet<string> = new Set(['users', 'emails', 'phone_numbers', 'passwords', 'sessions', 'audit_log']);
/** The table of a partition. */
const tableOf = (name: string): string => name.replace(/^audit_log_.*/u, 'audit_log');

describe.each(EITHER_DATABASE)(`with ${USERS} users, on %s`, (_, url) => {
  let provider: Provider;
  let db: Db;
  let drop: () => Promise<void>;
  let seen: LogEvent['query'][] | null = null;
  beforeAll(async () => {
    const fresh = await freshStore(url);
    drop = fresh.drop;
    db = await openDatabase(fresh.store, undefined, PATIENCE, true, ({ query }) => void seen?.push(query));
    await makeManyUsers(db);
    provider = await makeProvider(url, { db });
    provider.clock.time = Date.now();
  });
  afterAll(async () => {
    await provider.close();
    await db.destroy();
    await drop();
  });

  /** The large tables of which the statements of `work` read most rows one after another, with the statement. */
  async function wholeReads<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly whole: readonly string[]; readonly result: T }> {
    const statements: LogEvent['query'][] = (seen = []);
    const result = await work().finally(() => (seen = null));
    const whole = new Set<string>();
    for (const { sql: text, parameters } of statements) {
      // A count ends after ten thousand rows, which are few of millions.
      if (!/^(?:select|with|insert|update|delete)\b/iu.test(text) || /count\(\*\) as "counted"/u.test(text)) continue;
      const reads = /^select\b/iu.test(text);
      const { rows } = await db.executeQuery<Fields>({
        sql: `explain (format json${reads ? ', analyze' : ''}) ${text}`,
        parameters: [...parameters],
        query: sql`select`.toOperationNode(),
        queryId: { queryId: 'explain' },
      });
      for (const table of readsIn(rows[0]?.['QUERY PLAN']))
        if (LARGE.has(tableOf(table))) whole.add(`${table}: ${text}`);
    }
    return { whole: [...whole], result };
  }

  /** The tables that a plan reads without an index, unless it ended early. */
  function readsIn(plan: unknown): readonly string[] {
    if (Array.isArray(plan)) return plan.flatMap(readsIn);
    if (typeof plan !== 'object' || plan === null) return [];
    const node = plan as Fields;
    const read =
      (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)) * Number(node['Actual Loops']);
    // An index that does not fit the condition is read as a whole, too, where few rows meet it.
    const isWhole = Number.isNaN(read) ? node['Node Type'] === 'Seq Scan' : read >= USERS / 2;
    return [
      ...(isWhole && node['Relation Name'] !== undefined ? [String(node['Relation Name'])] : []),
      ...Object.values(node).flatMap(readsIn),
    ];
  }

  it.each<[string, UserPage, number]>([
    ['an address', { text: 'user-77@EXAMPLE.com', limit: 50 }, 1],
    ['a number', { text: '+14155000070', limit: 50 }, 1],
    ['an external id', { text: 'crm-77', limit: 50 }, 1],
    ['a part of an address', { text: `ser-${USERS - 3}@`, limit: 50 }, 1],
    ['a part of a number', { text: '5000070', limit: 50 }, 1],
    ['a name', { text: 'ADA76 byron', limit: 50 }, 1],
    ['what nobody has', { text: 'nobody@example.org', limit: 50 }, 0],
    ['what everybody has', { text: 'example.com', limit: 50 }, 50],
    ['nothing', { limit: 1000 }, 1000],
    ['a lock', { locked: true, limit: 1000 }, Math.min(1000, Math.floor(USERS / 1000))],
  ])('operators find users by %s, through an index', async (_what, page, found) => {
    const { whole, result } = await wholeReads(() => listUsers(db, page));
    expect(whole).toEqual([]);
    expect(result.users).toHaveLength(found);
  });

  it.each([
    ['event', { event: 'user_locked', limit: 50 }],
    ['address', { address: '203.0.113.7', limit: 50 }],
    ['user', { user_id: 'user-test-1', limit: 50 }],
    ['refusal', { outcome: 'refused', limit: 50 }],
  ])('operators find rows of the audit log by %s, through an index', async (_what, filter) => {
    const { whole } = await wholeReads(() => listAudit({ db, keys: provider.services.keys }, filter));
    expect(whole).toEqual([]);
  });

  const search = async (operands: readonly (readonly [string, unknown])[], more: Fields = {}): Promise<Fields> => {
    const { operator = 'AND', ...rest } = more;
    const reply = await provider.app.request('/v1/users/search', {
      method: 'POST',
      headers: {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        query: { operator, operands: operands.map(([filter_name, filter_value]) => ({ filter_name, filter_value })) },
        ...rest,
      }),
    });
    return { status: reply.status, ...((await reply.json()) as Fields) };
  };

  it.each<[string, readonly (readonly [string, unknown])[], string?]>([
    ['an address', [['email_address', ['user-77@example.com']]]],
    ['a part of an address', [['email_address_fuzzy', `SER-${USERS - 3}@`]]],
    ['a part that everybody has', [['email_address_fuzzy', 'example.com']]],
    ['a part of a number', [['phone_number_fuzzy', '5000070']]],
    ['a name', [['full_name_fuzzy', 'ada76 BYRON']]],
    ['a number', [['phone_number', ['+14155000070']]]],
    ['unverified addresses', [['email_verified', false]]],
    ['verified addresses', [['email_verified', true]]],
    ['unverified numbers', [['phone_verified', false]]],
    ['a password', [['password_exists', true]]],
    ['no password', [['password_exists', false]]],
    ['an external id', [['external_id', ['crm-77']]]],
    [
      'an address or a number',
      [
        ['email_address', ['user-77@example.com']],
        ['phone_number_fuzzy', '5000070'],
      ],
      'OR',
    ],
    [
      'an address or an id',
      [
        ['email_address_fuzzy', 'ser-77@'],
        ['external_id', ['crm-76']],
      ],
      'OR',
    ],
    ['a status that few have', [['status', 'pending']]],
    [
      'an address or a status that few have',
      [
        ['email_address', ['user-77@example.com']],
        ['status', 'pending'],
      ],
      'OR',
    ],
    [
      'an address or what nobody has',
      [
        ['email_address', ['user-77@example.com']],
        ['crypto_wallet_verified', true],
      ],
      'OR',
    ],
  ])('the app’s server finds users by %s, through an index', async (_what, operands, operator = 'AND') => {
    const { whole, result } = await wholeReads(() => search(operands, { operator, limit: 100 }));
    expect(result['status']).toBe(200);
    expect(result['results'].length).toBeGreaterThan(0);
    expect(whole).toEqual([]);
  });

  it('counts the users of a search once, and only as many as it shows when it shows all', async () => {
    const counts = (statements: readonly string[]) => statements.filter((text) => /count\(\*\)/u.test(text)).length;
    const statements = async (work: () => Promise<Fields>) => {
      const queries: LogEvent['query'][] = (seen = []);
      const result = await work().finally(() => (seen = null));
      return { result, counted: counts(queries.map((query) => query.sql)) };
    };
    const all = await statements(() => search([['email_address', ['user-77@example.com']]]));
    expect([all.result['results_metadata'], all.counted]).toEqual([{ total: 1, next_cursor: null }, 0]);
    const first = await statements(() => search([['email_verified', false]], { limit: 10 }));
    expect([first.result['results_metadata']['total'], first.counted]).toEqual([USERS / 500, 1]);
    const next = await statements(() =>
      search([['email_verified', false]], { limit: 10, cursor: first.result['results_metadata']['next_cursor'] }),
    );
    expect([next.result['results_metadata']['total'], next.counted]).toEqual([USERS / 500, 0]);
  });

  it.each([['email_verified'], ['phone_verified']])(
    '%s: false reads no other users than those of a page',
    async (name) => {
      const queries: LogEvent['query'][] = (seen = []);
      const { results } = await search([[name, false]], { limit: 10 }).finally(() => (seen = null));
      const page = queries.find((query) => /\blimit\b/u.test(query.sql) && /"placed_at"/u.test(query.sql));
      const { rows } = await db.executeQuery<Fields>({
        ...(page ?? { sql: '', parameters: [] }),
        sql: `explain (format json, analyze) ${page?.sql}`,
        query: sql`select`.toOperationNode(),
        queryId: { queryId: 'explain' },
      });
      expect(rowsOf(rows[0]?.['QUERY PLAN'], 'users')).toBe(11);
      const ages = (results as readonly Fields[]).map(({ created_at }) => Date.parse(String(created_at)));
      expect(ages).toEqual([...ages].sort((one, other) => one - other));
    },
  );

  /** How many rows of a table the nodes of a plan read. */
  function rowsOf(plan: unknown, table: string): number {
    if (typeof plan !== 'object' || plan === null) return 0;
    const node = plan as Fields;
    const own = node['Relation Name'] === table ? Number(node['Actual Rows']) * Number(node['Actual Loops']) : 0;
    return Object.values(node).reduce((sum: number, each) => sum + rowsOf(each, table), own);
  }

  it('estimates a number that is too large to count', async () => {
    const { results_metadata } = await search([], { limit: 1 });
    expect(Math.abs(results_metadata.total - USERS)).toBeLessThan(USERS / 10);
  });

  soakIt('a session check, a passcode and a login read no table as a whole', async () => {
    const { whole } = await wholeReads(async () => {
      const { session_token } = await provider.signIn('user-77@example.com');
      await provider.post('/sessions/authenticate', {}, { session: session_token });
      await provider.call('GET', '/users/me', undefined, { session: session_token });
    });
    expect(whole).toEqual([]);
  });

  soakIt('a sweep finds what has expired by indexes, and reads no table as a whole', async () => {
    const due = () => sql<Fields>`select from users where proof_due_at < now()`.execute(db);
    let left = (await due()).rows.length;
    expect(left).toBeGreaterThan(20);
    // Of fewer users than there are in practice, a large batch would be most.
    const parts = [...Object.keys(BOUNDS), 'users'];
    const sizes = new Map(parts.map((name) => [name, new BatchSize(20)]));
    // One sweep gives each table half a minute.
    for (let before = Infinity; left > 0 && left < before;) {
      before = left;
      const { whole } = await wholeReads(() => sweep({ ...provider.services, sizes }));
      expect(whole).toEqual([]);
      left = (await due()).rows.length;
    }
    expect(left).toBe(0);
  });
});
