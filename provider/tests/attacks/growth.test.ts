import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#provider/base/db/open.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run } from '#provider/operation/server/run.ts';
import { BOUNDS } from '#provider/operation/retention/bounds.ts';
import { sweep as sweepOnce, type SweepServices } from '#provider/operation/retention/sweep.ts';
import { at } from './places.ts';
import { fromServer, passkey, plantAll } from './attacker.ts';
import { DATABASES, EITHER_DATABASE, freshStore, makeProvider, MINUTE, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Ten batches. */
const EXPIRED = 5_000;

/** On a busy machine a pass leaves rows to the next one, as a server does. */
async function sweep(services: SweepServices): Promise<void> {
  for (let state = 'behind'; state === 'behind';) ({ state } = await sweepOnce(services));
}

const namesIn = async ({ services }: Provider, query: string): Promise<readonly string[]> =>
  (await sql<{ name: string }>`${sql.raw(query)}`.execute(services.db)).rows.map(({ name }) => name).sort();

describe.each(EITHER_DATABASE)('the schema on %s', (_, url) => {
  const provider = suiteProvider(url);

  const names = (query: string) => namesIn(provider, query);

  it('every table has a bound', async () => {
    // The first start of a server drops `server_keys`; test databases keep it.
    const tables = await names(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname not like 'kysely_%' and relname <> 'server_keys'`,
    );
    expect(Object.keys(BOUNDS).sort()).toEqual(tables);
    const cascading = await names(
      `select conrelid::regclass || ' of ' || confrelid::regclass as name from pg_constraint
        where contype = 'f' and confdeltype = 'c'`,
    );
    for (const [table, bound] of Object.entries(BOUNDS))
      if (bound.by === 'owner') expect(cascading).toContain(`${table} of ${bound.table}`);
    const swept = new Set(Object.entries(BOUNDS).flatMap(([table, bound]) => (bound.by === 'sweep' ? [table] : [])));
    const expiring = await names(
      `select table_name as name from information_schema.columns where table_schema = 'public'
        and column_name = 'expires_at'`,
    );
    // Used refresh tokens are kept with their family, to detect a stolen one; the outbox has its own sweep.
    expect(expiring.filter((table) => !swept.has(table))).toEqual(['oauth_refresh_tokens', 'outbox']);
  });

  it('no deletion and no sweep reads a whole table', async () => {
    const missing = await names(
      `select conrelid::regclass || '.' || a.attname as name from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where contype = 'f' and not exists
          (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))`,
    );
    expect(missing).toEqual([]);
    const indexed = await names(
      `select coalesce(p.inhparent, indrelid)::regclass || '.' || a.attname as name
        from pg_index i left join pg_inherits p on p.inhrelid = i.indrelid join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`,
    );
    for (const [table, bound] of Object.entries(BOUNDS))
      for (const { column } of bound.by === 'sweep' ? bound.passes : [])
        expect(indexed).toContain(`${table}.${column}`);
    // By this one the sweep finds the sign-ups that are due.
    expect(indexed).toContain('users.proof_due_at');
  });
});

describe.each(EITHER_DATABASE)('sweeps of a full database, on %s', (_, url) => {
  let provider: Provider;
  beforeEach(async () => {
    provider = await makeProvider(url);
  });
  afterEach(() => provider.close());

  const database = () => provider.services.db;
  const names = (query: string) => namesIn(provider, query);
  const users = () => names('select user_id as name from users');

  soakIt('a sweep deletes expired rows in batches, and keeps valid ones', async () => {
    const { user_id, session_token } = await provider.signIn('ada@example.com');
    await provider.sendCode('ada@example.com');
    const expires_at = new Date(provider.clock.time + HOUR);
    await sql`insert into sessions
        select 'old-' || n, ${user_id}, ${expires_at}, ${expires_at}, ${expires_at}, '{}', '[]'
        from generate_series(1, ${sql.lit(EXPIRED)}) as n`.execute(database());
    await provider.post(
      '/sessions/authenticate',
      { session_duration_minutes: 5 * 24 * 60 },
      { session: session_token },
    );
    provider.clock.time += DAY + HOUR + 1;
    const { code, method_id } = await provider.sendCode('ada@example.com');
    await sweep(provider.services);
    expect(await names('select session_id as name from sessions')).toHaveLength(1);
    const again = { token: code, method_id, session_duration_minutes: 60 };
    expect((await provider.post('/otps/authenticate', again)).status).toBe(200);
    provider.clock.time += 10 * DAY;
    await sweep(provider.services);
    for (const [table, bound] of Object.entries(BOUNDS))
      // The database deletes audit rows by its own clock, which no test moves.
      if (bound.by === 'sweep' && table !== 'users' && table !== 'audit_log')
        expect(await names(`select '${table}' as name from ${table}`)).toEqual([]);
    expect(await users()).toEqual([user_id]);
  });

  soakIt('a sweep deletes users who never verified anything, and keeps those who did or still can', async () => {
    const begin = (email: string) => provider.post('/otps/email/login_or_create', { email });
    const people = async () => {
      const known = await names(`select split_part(email, '@', 1) as name from emails
        union all select phone_number as name from phone_numbers`);
      expect(await users()).toHaveLength(known.length);
      return known;
    };
    await begin('abandoned@example.com');
    await begin('back@example.com');
    await provider.post('/otps/sms/login_or_create', { phone_number: '+14155552671' });
    await provider.signIn('proven@example.com');
    const password = { password: 'seven correct horses stapled', session_duration_minutes: 5 };
    await provider.post('/passwords', { email: 'password@example.com', ...password });
    await at(provider.app, '203.0.113.1').post('/passwords', { email: 'used@example.com', ...password });
    await provider.post('/magic_links/email/login_or_create', {
      email: 'squatted@example.com',
      create_user_as_pending: false,
    });
    await fromServer(provider, '/users', { email: 'managed@example.com' });
    provider.clock.time += 6 * DAY;
    await sweep(provider.services);
    const all = ['+14155552671', 'abandoned', 'back', 'managed', 'password', 'proven', 'squatted', 'used'];
    expect(await people()).toEqual(all);
    await begin('young@example.com');
    provider.clock.time += DAY + 1;
    const token = await provider.sendLink('back@example.com');
    await sweep(provider.services);
    expect(await people()).toEqual(['back', 'managed', 'proven', 'used', 'young']);
    const login = { token, session_duration_minutes: 60 };
    expect((await provider.post('/magic_links/authenticate', login)).status).toBe(200);
    provider.clock.time += 20 * DAY;
    await sweep(provider.services);
    expect(await people()).toEqual(['back', 'managed', 'proven', 'used']);
    // It goes a month after its last login.
    await at(provider.app, '203.0.113.1').post('/passwords/authenticate', { email: 'used@example.com', ...password });
    provider.clock.time += 29 * DAY;
    await sweep(provider.services);
    expect(await people()).toEqual(['back', 'managed', 'proven', 'used']);
    provider.clock.time += 2 * DAY;
    await sweep(provider.services);
    expect(await people()).toEqual(['back', 'managed', 'proven']);
    const due = await names(`select user_id as name from users where proof_due_at is not null`);
    expect(due).toEqual([]);
  });

  soakIt('a sweep keeps a sign-up with a live session, and one whose address was removed', async () => {
    const body = { password: 'seven correct horses stapled', session_duration_minutes: 40 * 24 * 60 };
    const { data } = await provider.post('/passwords', { email: 'live@example.com', ...body });
    const other = (await provider.post('/passwords', { email: 'removed@example.com', ...body })).data;
    const session = await plantAll(String(other['session_token']), [passkey(provider)]);
    const { email_id } = other['user'].emails[0];
    expect((await provider.call('DELETE', `/users/emails/${email_id}`, undefined, { session })).status).toBe(200);
    provider.clock.time += 39 * DAY;
    await sweep(provider.services);
    expect(new Set(await users())).toEqual(new Set([data['user_id'], other['user_id']]));
    provider.clock.time += 4 * DAY;
    await sweep(provider.services);
    expect(await users()).toEqual([other['user_id']]);
  });

  it('either a first verification or a sweep wins, never both', async () => {
    for (let round = 0; round < Math.max(3, RACES); round += 1) {
      const email = `proof${round}@example.com`;
      await provider.post('/otps/email/login_or_create', { email });
      provider.clock.time += 8 * DAY;
      const token = await provider.sendLink(email);
      const login = { token, session_duration_minutes: 60 };
      const later = { ...provider.services, clock: { now: () => provider.clock.time + 2 * HOUR } };
      const [reply] = await Promise.all([
        provider.post('/magic_links/authenticate', login),
        // By this clock the link has expired. It is deleted first, and then nothing keeps the user.
        sweep(later).then(() => sweep(later)),
      ]);
      const me = () => provider.call('GET', '/users/me', undefined, { session: String(reply.data['session_token']) });
      if (reply.status === 200) expect((await me()).status).toBe(200);
      else expect(reply.status).toBe(401);
    }
  });

  soakIt(
    'a sweep deletes replaced secrets of apps and token families without a valid token, and keeps valid ones',
    async () => {
      const at = (age: number) => new Date(provider.clock.time - age);
      const secret = (secret_hash: string, age: number) => ({ secret_hash, client_id: 'app', created_at: at(age) });
      await database()
        .insertInto('oauth_client_secrets')
        .values([secret('first', 9 * DAY), secret('second', 3 * DAY), secret('third', HOUR)])
        .execute();
      const { user_id } = await provider.signIn('ada@example.com');
      const granted = { grant_id: 'grant', user_id: String(user_id), client_id: 'app', scopes: '[]' };
      await database()
        .insertInto('oauth_grants')
        .values({ ...granted, created_at: at(0), updated_at: at(0) })
        .execute();
      const family = (family_id: string, age: number) => ({
        family_id,
        grant_id: 'grant',
        scopes: '[]',
        session_id: null,
        auth_time: null,
        created_at: at(age),
      });
      await database()
        .insertInto('oauth_token_families')
        .values([family('dead', 31 * DAY), family('live', 31 * DAY), family('new', DAY), family('old', 182 * DAY)])
        .execute();
      const token = (family_id: string) => ({ token_hash: family_id, family_id, used: false, created_at: at(DAY) });
      await database()
        .insertInto('oauth_refresh_tokens')
        .values(['live', 'old'].map((id) => ({ ...token(id), expires_at: new Date(provider.clock.time + DAY) })))
        .execute();
      await sweep(provider.services);
      expect(await names('select secret_hash as name from oauth_client_secrets')).toEqual(['second', 'third']);
      expect(await names('select family_id as name from oauth_token_families')).toEqual(['live', 'new']);
    },
  );
});

describe.each(DATABASES.filter(([, url]) => url !== undefined))('long sweeps on %s', (_, url) => {
  let store: Awaited<ReturnType<typeof freshStore>>['store'];
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ store, drop } = await freshStore(url));
  });
  afterAll(() => drop());

  it('a long sweep does not delay the start of a server', async () => {
    const place = ['--port', '0', '--database-url', store.kind === 'postgres' ? store.url : ''];
    await openDatabase(store).then((db) => db.destroy());
    const holder = new pg.Client({ connectionString: store.kind === 'postgres' ? store.url : '' });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table sessions, passcodes in access exclusive mode');
    const server = await run(optionsFrom(['--dev', '--log-level', 'silent', ...place]));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await holder.query('rollback');
    await holder.end();
    await server.stop();
  });
});
