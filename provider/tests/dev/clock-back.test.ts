import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { BEGUN, ENDING } from '../../src/dev/control/end-later.ts';
import { BOUNDS } from '../../src/retention/bounds.ts';
import { makeControlled } from '../kit/controlled.ts';
import { DATABASES, MINUTE } from '../kit/harness.ts';

const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;

/** What a sweep deletes for another reason than that it has ended, or what another party dated. */
const LASTING: ReadonlySet<string> = new Set(['users', 'totps', 'sessions', 'audit_log', 'used_trusted_tokens']);

describe.each(DATABASES)('a clock that is put back, on %s', (_, url) => {
  it('leaves nothing that waits for a time which no clock tells any more', async () => {
    const provider = await makeControlled(url);
    const clock = async (order: object, headers = {}) => provider.control('POST', '/clock', order, headers);
    const check = async (session: string, fields = {}, headers = {}) =>
      (await provider.post('/sessions/authenticate', fields, { session, headers })).status;
    try {
      const used = await provider.signIn('used@example.com');
      await clock({ move_ms: 40 * MINUTE });
      expect(await check(used['session_token'], { session_duration_minutes: 60 })).toBe(200);
      await clock({ set: '2099-06-01T00:00:00Z' });
      const ahead = await provider.signIn('ahead@example.com');
      await provider.sendCode('ahead@example.com');
      await provider.sendLink('new@example.com');
      await provider.control('POST', '/snapshots', { name: 'ahead' });
      const { db } = provider.services;
      const yearsOfCodes = async () => {
        const rows = await db.selectFrom('passcodes').select('created_at').orderBy('created_at').execute();
        return rows.map(({ created_at }) => created_at.getUTCFullYear());
      };
      const headers = { 'x-portico-test': 'later' };
      await clock({ set: '2050-01-01T00:00:00Z' }, headers);
      await provider.post('/otps/email/login_or_create', { email: 'other@example.com' }, { headers });
      expect(await yearsOfCodes()).toEqual([2050, 2099]);

      // The scope still has a later time than all requests, and keeps what it dated.
      await clock({ move_ms: -60 * YEAR });
      expect(await yearsOfCodes()).toEqual([2050]);
      await provider.control('POST', '/snapshots/ahead/restore');
      expect(await yearsOfCodes()).toEqual([]);
      await provider.control('DELETE', '');

      const columns = ['expires_at', 'started_at', 'last_accessed_at', 'window_start', 'next_at', 'at', 'active_at'];
      const { rows: all } = await sql<{ table_name: string; column_name: string }>`
        select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and column_name in (${sql.join(columns)})`.execute(db);
      const parts = all.map(({ table_name: table, column_name: column }) => {
        const later = sql`${sql.ref(column)} > ${new Date(provider.clock.now() + 3 * DAY)}`;
        return sql`select ${sql.lit(`${table}.${column}`)} as place from ${sql.table(table)} where ${later}`;
      });
      expect(parts.length).toBeGreaterThan(20);
      const { rows } = await sql`${sql.join(parts, sql` union all `)}`.execute(db);
      expect(rows).toEqual([]);

      expect([await check(used['session_token']), await check(ahead['session_token'])]).toEqual([200, 200]);
      expect(await check((await provider.signIn('ahead@example.com'))['session_jwt'])).toBe(200);
      provider.clock.time += 61 * MINUTE;
      expect([await check(used['session_token']), await check(ahead['session_token'])]).toEqual([401, 401]);
    } finally {
      await provider.close();
    }
  }, 60_000);
});

it('a clock that is put back ends everything that ends by itself', () => {
  const tables = Object.keys(BOUNDS) as (keyof Database)[];
  const ends = tables.filter((table) => BOUNDS[table].by === 'sweep' && !LASTING.has(table));
  expect(new Set([...Object.keys(BEGUN), ...ENDING])).toEqual(new Set(ends));
});
