import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type LogEvent } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { importFile } from '#provider/operation/commands/import-file.ts';
import type { ActionRunner } from '#provider/operation/commands/operate.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { importUser, importUsers } from '#provider/operation/operators/users/import-users.ts';
import {
  DATABASES,
  EITHER_DATABASE,
  freshStore,
  makeProvider,
  PATIENCE,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { managedJson } from '../kit/managing.ts';
import { SOAK } from '#tests/soak.ts';
import { soakDescribe } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const BY = { name: 'Grace', address: null, request_id: null };
const line = (n: number, more: Fields = {}): Fields => ({
  external_id: `crm-${n}`,
  emails: [{ email: `User-${n}@example.com`, verified: n % 2 === 0 }],
  phone_numbers: n % 3 === 0 ? [{ phone_number: `+1415555${1000 + n}`, verified: true }] : [],
  name: { first_name: `Ada ${n}` },
  roles: [],
  password: {
    hash_type: 'bcrypt',
    hash: '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.',
    requires_reset: n % 5 === 0,
  },
  ...more,
});
/** Many more than the statements of their import. */
const SOME = SOAK ? 300 : 100;
/** More than an operation takes at once. */
const MANY = SOAK ? 1200 : 510;
const lines = (from: number, to: number): Fields[] => Array.from({ length: to - from }, (_, n) => line(from + n));

describe.each(EITHER_DATABASE)('an import of many users, on %s', (_, url) => {
  let provider: Provider;
  let db: Db;
  let drop: () => Promise<void>;
  let seen: LogEvent['query'][] = [];
  beforeAll(async () => {
    const fresh = await freshStore(url);
    drop = fresh.drop;
    db = await openDatabase(fresh.store, undefined, PATIENCE, true, ({ query }) => void seen.push(query));
    provider = await makeProvider(url, { db });
  });
  afterAll(async () => {
    await provider.close();
    await db.destroy();
    await drop();
  });
  beforeEach(async () => {
    await db.deleteFrom('users').execute();
    seen = [];
  });

  const count = async (table: 'users' | 'emails' | 'passwords'): Promise<number> =>
    (await db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count; // prettier-ignore
  const imported = async (values: readonly Fields[]) =>
    (await importUsers(provider.services, values, BY)).map(({ result }) => result);
  /** Everything that an import writes of a user, without the ids and the sealed hash that are new each time. */
  const written = async (external: string) => {
    const user = await db.selectFrom('users').selectAll().where('external_id', '=', external).executeTakeFirstOrThrow();
    const { user_id, ...rest } = user;
    const rows = async (table: 'emails' | 'phone_numbers' | 'passwords') =>
      (await db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute()).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !name.endsWith('_id') && name !== 'hash')),
      );
    const { rows: audited } = await sql<Fields>`select event, actor_kind, actor_id from audit_log where user_id = ${user_id}`.execute(db); // prettier-ignore
    return { ...rest, emails: await rows('emails'), numbers: await rows('phone_numbers'), passwords: await rows('passwords'), audited }; // prettier-ignore
  };

  it('takes few statements, and writes each as an import of one user does', async () => {
    expect(new Set(await imported(lines(0, SOME)))).toEqual(new Set(['imported']));
    expect([await count('users'), await count('emails'), await count('passwords')]).toEqual([SOME, SOME, SOME]);
    const statements = seen.filter(({ sql: text }) => /^(?:insert|update|select|delete|with)\b/iu.test(text));
    expect(statements.length).toBeLessThan(12);
    const together = [await written('crm-30'), await written('crm-7')];
    await db.deleteFrom('users').execute();
    for (const n of [30, 7]) await importUser(provider.services, line(n), BY);
    expect(together).toEqual([await written('crm-30'), await written('crm-7')]);
  });

  it('gives the users and addresses of a batch ids in the order of their lines, which is quicker to write', async () => {
    await imported(lines(0, SOME));
    const { rows } = await sql<Fields>`select user_id, email_id from emails
      order by substring(email_key from '[0-9]+')::integer`.execute(db);
    for (const id of ['user_id', 'email_id'] as const) {
      const ids = rows.map((row) => String(row[id]));
      expect(ids).toEqual([...ids].sort());
    }
  });

  it('writes times, flags and JSON that differ between lines, and what only some have', async () => {
    const various = [
      line(1, { trusted_metadata: { plan: 'a \'b\' \\ "c"' }, locked: false }),
      line(2, { created_at: '2020-01-31T12:00:00Z', locked: true, name: {}, password: null }),
      line(3, { created_at: '2021-02-28T12:00:00.250Z', managed: false, vouched: false, status: 'pending', phone_numbers: [] }), // prettier-ignore
    ];
    expect(await imported(various)).toEqual(['imported', 'imported', 'imported']);
    const places = [1, 2, 3].map((n) => `crm-${n}`);
    const together = await Promise.all(places.map(written));
    await db.deleteFrom('users').execute();
    for (const each of various) await importUser(provider.services, each, BY);
    expect(together).toEqual(await Promise.all(places.map(written)));
  });

  it('imports numbers of an old numbering plan, and refuses others that are none', async () => {
    const withNumber = (n: number, phone_number: string) =>
      line(n, { phone_numbers: [{ phone_number, verified: true }] });
    const old = [withNumber(1, '+22501234567'), withNumber(2, '+5215512345678'), withNumber(3, '+41446681')];
    expect(await imported(old)).toEqual(['imported', 'imported', 'imported']);
    expect(await imported([withNumber(4, '+999123456'), withNumber(5, '0044123456')])).toEqual(['refused', 'refused']);
    const { status } = await provider.post('/otps/sms/login_or_create', { phone_number: '+22501234567' });
    expect(status).toBe(400);
  });

  it('leaves users alone who exist, and refuses lines by their reason, among others that are new', async () => {
    await imported([line(1), line(2)]);
    await provider.post('/otps/email/login_or_create', { email: 'stranger@example.com' });
    const outcome = await importUsers(
      provider.services,
      [
        line(0),
        line(1),
        { emails: [{ email: 'nobody' }] },
        line(3, { external_id: 'crm-1', emails: [{ email: 'user-2@example.com' }] }),
        line(4, { emails: [{ email: 'stranger@example.com' }] }),
        line(5),
      ],
      BY,
    );
    expect(outcome.map(({ result }) => result)).toEqual([
      'imported',
      'exists',
      'refused',
      'refused',
      'imported',
      'imported',
    ]);
    expect(await count('users')).toBe(5);
  });

  it('makes one user of lines with the same address', async () => {
    expect(await imported([line(1), line(2), line(3, { emails: [{ email: 'USER-1@example.com' }] }), line(4)])).toEqual(
      ['imported', 'imported', 'exists', 'imported'],
    );
    expect(await count('users')).toBe(3);
  });

  it('makes each user once when two imports race', async () => {
    const [first, second] = await Promise.all([imported(lines(0, 20)), imported(lines(10, 30))]);
    expect(await count('users')).toBe(30);
    expect([...first, ...second].filter((result) => result === 'imported')).toHaveLength(30);
    expect([...first, ...second].filter((result) => result === 'exists')).toHaveLength(10);
  });
});

describe.each(EITHER_DATABASE)('an import that ends in the middle, on %s', (_, url) => {
  it('goes on with the same file, and makes each user and each row of the audit log once', async () => {
    const provider = await makeProvider(url);
    const { services } = provider;
    const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
    const file = join(folder, 'users.jsonl');
    writeFileSync(file, lines(0, 30).map((each) => JSON.stringify(each)).join('\n')); // prettier-ignore
    /** Ends after that many batches: the last one is committed, and its answer is lost. */
    const runner = (batches: number): ActionRunner => {
      let left = batches;
      return {
        project: services.project,
        mostBytes: 2_000,
        close: () => Promise.resolve(),
        async run(name, fields) {
          const listing = await perform(services, name, fields);
          left -= 1;
          if (left <= 0) throw new Error('The connection broke.');
          return { ...listing };
        },
      };
    };
    const importing = (batches: number) =>
      importFile(runner(batches), { fields: { file }, json: true }, () => undefined, new AbortController().signal);
    await expect(importing(2)).rejects.toThrow('The connection broke.');
    const { imported, exists, refused } = JSON.parse(await importing(1_000)) as Record<string, number>;
    expect([Number(imported) > 0, Number(exists) > 0, Number(imported) + Number(exists), refused]).toEqual([true, true, 30, 0]); // prettier-ignore
    const { rows } = await sql<Fields>`select (select count(*)::integer from users) as users,
      (select count(*)::integer from emails) as emails,
      (select count(*)::integer from audit_log where event = 'user_imported') as rows`.execute(services.db);
    expect(rows).toEqual([{ users: 30, emails: 30, rows: 30 }]);
    rmSync(folder, { recursive: true });
    await provider.close();
  });
});

soakDescribe.runIf(POSTGRES !== undefined)('the command that imports users', () => {
  it('sends several batches at once, and prints the result of each line in order', async () => {
    const { store, drop } = await freshStore(POSTGRES);
    const folder = mkdtempSync(join(tmpdir(), 'portico-import-'));
    const file = join(folder, 'users.jsonl');
    const many = lines(0, MANY);
    for (const each of many) delete each['password'];
    writeFileSync(file, many.map((each) => JSON.stringify(each)).join('\n'));
    const at = ['--database-url', store.kind === 'postgres' ? store.url : ''];
    const results = await managedJson(at, 'users', 'import', file);
    expect(results.slice(0, -1).map((row) => row['line'] as number)).toEqual(many.map((_, place) => place + 1));
    expect(results.at(-1)).toEqual({ imported: MANY, exists: 0, refused: 0 });
    expect((await managedJson(at, 'users', 'import', file)).at(-1)).toEqual({ imported: 0, exists: MANY, refused: 0 });
    rmSync(folder, { recursive: true });
    await drop();
  });
});
