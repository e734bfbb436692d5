import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#provider/base/db/open.ts';
import { reportTo, type ErrorPlace, type Report } from '#provider/base/log/error-log.ts';
import { createLog } from '#provider/base/log/log.ts';
import { EITHER_DATABASE, type Fields, freshStore, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { listedIf } from '#tests/soak-tests.ts';

const CANARY = 'canary-7f3a@example.com';
const LINE = /^error [A-Z]+ \/\S+ \d{3} request-id-test-[0-9a-f-]{36}: [A-Z]\w+( \S+)*$/u;
const FILE = / at (?:provider|src|node_modules|\.server)\/[\w@./+-]+:\d+/u;

const reportInto = (lines: string[]): Report =>
  reportTo(createLog({ level: 'error', format: 'text' }, (line) => lines.push(line.slice(0, -1))));

/** The line that is written for the error. */
function errorLine(thrown: unknown, place: ErrorPlace): string {
  const lines: string[] = [];
  reportInto(lines)(thrown, place);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe.each(EITHER_DATABASE)('log lines about errors, on %s', (_, url) => {
  const provider = suiteProvider(url);

  /** Breaks a table during the request, with an error of PostgreSQL that quotes the row. */
  async function whileBroken(table: string, request: () => Promise<Response | { status: number; headers: Headers }>) {
    await sql.raw(`alter table ${table} add constraint broken check (false) not valid`).execute(provider.services.db);
    provider.traces.length = 0;
    try {
      return await request();
    } finally {
      await sql.raw(`alter table ${table} drop constraint broken`).execute(provider.services.db);
    }
  }

  const form = (body: Fields): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(body).toString(),
  });

  it('an error is logged with its cause and the id of the request, without the content of the request', async () => {
    const headers = { 'user-agent': 'canary-agent', 'x-canary': 'canary-header' };
    const reply = await whileBroken('outbox', () =>
      provider.call('POST', '/magic_links/email/login_or_create', { email: CANARY }, { headers }),
    );
    expect(reply.status).toBe(500);
    const [line = '', ...more] = provider.traces;
    expect(more).toEqual([]);
    expect(line).toMatch(LINE);
    expect(line).toContain('POST /sdk/v1/magic_links/email/login_or_create 500');
    expect(line).toContain(reply.headers.get('x-request-id'));
    expect(line).toContain(' 23514 table=outbox constraint=broken');
    expect(line).toMatch(FILE);
    expect(line).not.toMatch(/canary|example\.com|Failing row|token=|http:|insert into/iu);
  });

  it('errors of the endpoints of apps, social accounts, the inbox and the operator are logged, too', async () => {
    const { db } = provider.services;
    const tables = ['authorization_codes', 'account_codes', 'outbox', 'signing_keys', 'used_trusted_tokens'];
    const have = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public'`.execute(db);
    const there = new Set(have.rows.map(({ name }) => name));
    const gone = tables.filter((table) => there.has(table));
    for (const table of gone) await sql.raw(`alter table ${table} rename to ${table}_gone`).execute(db);
    try {
      const code = 'canary-code';
      const asked: readonly (readonly [string, string, RequestInit])[] = [
        [
          'POST /oauth2/token',
          '/oauth2/token',
          form({ grant_type: 'authorization_code', client_id: 'app', code, redirect_uri: 'http://localhost/callback' }),
        ],
        [
          'POST /accounts/*',
          '/accounts/google/token',
          form({ grant_type: 'authorization_code', client_id: 'portico-test-client', code }),
        ],
        ['GET /dev/inbox', '/dev/inbox.json?to=canary@example.com', {}],
      ];
      for (const [where, path, init] of asked) {
        provider.traces.length = 0;
        const reply = await provider.app.request(path, init);
        if (reply.status === 401) continue;
        expect(reply.status, where).toBe(500);
        expect(provider.traces, where).toHaveLength(1);
        expect(provider.traces[0]).toContain(`error ${where} 500 request-id-test-`);
        expect(provider.traces[0]).toContain(' 42P01');
        expect(provider.traces[0]).not.toContain('canary');
      }
    } finally {
      for (const table of gone) await sql.raw(`alter table ${table}_gone rename to ${table}`).execute(db);
    }
  });

  it('expected refusals are not logged', async () => {
    provider.traces.length = 0;
    await provider.call('POST', '/otps/email/login_or_create', {});
    await provider.call('GET', '/users/me', undefined, { session: 'canary-session' });
    await provider.app.request('/nothing');
    expect(provider.traces).toEqual([]);
  });

  listedIf(url !== undefined, it)('an idle connection that ends is logged, and the server goes on', async () => {
    const lines: string[] = [];
    const { store, drop } = await freshStore(url);
    const db = await openDatabase(store, reportInto(lines));
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const killer = new pg.Client({ connectionString: url });
    await killer.connect();
    await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await killer.end();
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    expect(lines[0]).toMatch(/^error idle database connection: \w+ 57P01/u);
    await sql`select 1`.execute(db);
    await db.destroy();
    await drop();
  });
});

describe('a line about an error', () => {
  const place = { where: 'sweep' };

  it('the line follows the causes', () => {
    const cause = Object.assign(new TypeError('canary'), { code: 'ECONNREFUSED' });
    const line = errorLine(new Error('canary', { cause: new AggregateError([cause], 'canary') }), place);
    expect(line).toMatch(/^error sweep: Error .* < AggregateError .* < TypeError ECONNREFUSED at provider\//u);
    expect(line).not.toContain('canary');
  });

  it.each([
    ['frames of its own', new Error('x\n    at canary (/home/canary.ts:1:1)\n    at canary2 (/canary:2:2)')],
    ['a name', Object.assign(new Error('x'), { name: 'canary@example.com' })],
    ['a code', Object.assign(new Error('x'), { code: 'canary@example.com' })],
    ['a table', Object.assign(new Error('x'), { table: 'canary@example.com', detail: 'canary', hint: 'canary' })],
    [
      'a message that was changed',
      Object.assign(new Error('canary\n    at canary (/canary.ts:1:1)'), { message: 'y' }),
    ],
    ['a stack that was changed', Object.assign(new Error('x'), { stack: 'canary\n    at canary (/canary:1:1)' })],
    ['an empty message', Object.assign(new Error(''), { message: '', stack: 'canary\ncanary' })],
    ['a cause that is text', new Error('x', { cause: 'canary' })],
    ['no error', 'canary'],
    ['a line break', Object.assign(new Error('x'), { code: `23514\ncanary` })],
  ])('the line quotes nothing of an error with %s', (_, thrown) => {
    const line = errorLine(thrown, place);
    expect(line).toMatch(/^error sweep: /u);
    expect(line).not.toMatch(/canary|\n/u);
  });

  it('the line ends where causes form a circle', () => {
    const error = new Error('x');
    error.cause = error;
    expect(errorLine(error, place).split(' < ').length).toBeLessThan(10);
    expect(errorLine(null, place)).toBe('error sweep: a thrown null');
  });

  it('the line names the route by its pattern alone', () => {
    expect(errorLine(new Error(PUBLIC_TOKEN), { where: 'GET /x/:id', status: 500, requestId: 'r-1' })).toMatch(
      /^error GET \/x\/:id 500 r-1: Error at provider\/tests\/attacks\/traces\.test\.ts:\d+/u,
    );
  });
});
