import { sql } from 'kysely';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { DatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase, separateConnection } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE } from '#provider/base/db/engine/postgres.ts';
import { Health } from '#provider/operation/health/health.ts';
import { OutageReport } from '#provider/operation/health/outage-report.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { ANY_DATABASE, DATABASES, EITHER_DATABASE, freshStore, makeProvider, type Provider } from '../kit/harness.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { soakDescribe } from '#tests/soak-tests.ts';

const SERVING = { active: false, closing: false };
const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

describe.each(EITHER_DATABASE)('readiness, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
    await provider.signIn('ready@example.com');
  });
  afterAll(() => provider.close());

  const failing = (services: Partial<Provider['services']> = {}, draining = SERVING, limitMs = PATIENCE_MS) =>
    new Health({ ...provider.services, ...services }, draining, limitMs).failing();

  it('holds while the database has this version’s schema and keys', async () => {
    expect(await failing()).toEqual([]);
  });

  it('ends when the server is about to stop', async () => {
    expect(await failing({}, { active: true, closing: false })).toEqual(['stopping']);
  });

  it('fails while a migration is missing, and holds with one of a newer version', async () => {
    const { db } = provider.services;
    const last = await sql<{ name: string }>`delete from kysely_migration
      where name = (select max(name) from kysely_migration) returning name`.execute(db);
    expect(await failing()).toEqual(['migrations']);
    // Only a version before the baseline completes what it has begun.
    await sql`insert into kysely_migration (name, timestamp) values ('0001_sign_in_by_email', 'now')`.execute(db);
    expect(await failing()).toEqual(['migrations']);
    await sql`delete from kysely_migration where name = '0001_sign_in_by_email'`.execute(db);
    for (const name of [last.rows[0]?.name, '9990_newer'])
      await sql`insert into kysely_migration (name, timestamp) values (${name}, 'now')`.execute(db);
    expect(await failing()).toEqual([]);
    await sql`update kysely_migration set name = '9990_newer_after_9989' where name = '9990_newer'`.execute(db);
    expect(await failing()).toEqual(['migrations']);
    await sql`delete from kysely_migration where name like '9990%'`.execute(db);
  });

  it('fails when the keys of this server do not open those of the database', async () => {
    const keys = { codeKey: systemRandom.bytes(32), signingSecret: systemRandom.bytes(32) };
    expect(await failing({ keys })).toEqual(['keys']);
    expect(await failing({ keys: { ...provider.services.keys } })).toEqual([]);
  });

  /** A database whose statements end as `execute` says. */
  const databaseThat = (execute: () => Promise<never>): Db =>
    ({
      getExecutor: () => ({ transformQuery: () => undefined, compileQuery: () => ({}), executeQuery: execute }),
    }) as unknown as Db;

  it('fails when the database does not answer in time, and reads it once for callers at the same time', async () => {
    let statements = 0;
    const db = databaseThat(() => {
      statements += 1;
      return new Promise(() => undefined);
    });
    const health = new Health({ ...provider.services, db }, SERVING, 20);
    expect(await Promise.all([health.failing(), health.failing()])).toEqual([['database'], ['database']]);
    expect(await health.failing()).toEqual(['database']);
    expect(statements).toBe(1);
  });

  it('lasts through two checks that fail, and ends with the third', async () => {
    const services = { ...provider.services };
    const health = new Health(services, SERVING, PATIENCE_MS, 0);
    const ready = () => expect.poll(() => health.failing()).toEqual([]);
    await ready();
    services.db = databaseThat(() => Promise.reject(new Error('gone')));
    const checks = async (times: number) => {
      const found: (readonly string[])[] = [];
      for (let time = 0; time < times; time += 1) found.push(await health.failing());
      return found;
    };
    expect(await checks(4)).toEqual([[], [], ['database'], ['database']]);
    services.db = provider.services.db;
    await ready();
    // One answer begins the count again.
    services.db = databaseThat(() => Promise.reject(new Error('gone')));
    expect(await checks(2)).toEqual([[], []]);
  });

  it('fails when the database refuses', async () => {
    expect(await failing({ db: databaseThat(() => Promise.reject(new Error('gone'))) })).toEqual(['database']);
  });
});

soakDescribe.runIf(POSTGRES !== undefined)('readiness, on a PostgreSQL whose connections are all in use', () => {
  it('holds, because it has a connection of its own', async () => {
    const { store, drop } = await freshStore(POSTGRES);
    const db = await openDatabase(store, () => undefined, { ...DATABASE_PATIENCE, connections: 1 });
    const provider = await makeProvider(POSTGRES, { db });
    const probe = separateConnection(db, () => undefined);
    let release = (): void => undefined;
    const used = new Promise<void>((resolve) => (release = resolve));
    const done = db.connection().execute(() => used);
    expect(await new Health({ ...provider.services, db: probe.db }, SERVING, PATIENCE_MS).failing()).toEqual([]);
    release();
    await done;
    await probe.close();
    await provider.close();
    await db.destroy();
    await drop();
  });
});

describe('the errors of requests while the database is away', () => {
  const gone = new DatabaseUnavailable('gone');
  const reported = () => {
    const lines: unknown[] = [];
    const next = (thrown: unknown, { where }: { readonly where: string }): void => void lines.push([where, thrown]);
    const log = { error: (message: string, fields = {}): void => void lines.push([message, fields]) };
    return { lines, outages: new OutageReport(next, log) };
  };

  it('are one line, and a count of those that followed', () => {
    const { lines, outages } = reported();
    for (let turn = 0; turn < 200; turn += 1) outages.report(gone, { where: `request ${turn}` });
    expect(lines).toEqual([['request 0', gone]]);
    outages.end();
    expect(lines[1]).toEqual(['the database was unavailable', { errors: 199, since: expect.any(String) as string }]);
  });

  it('hide no other error', () => {
    const { lines, outages } = reported();
    const other = new Error('a defect');
    for (const thrown of [gone, other, gone, other]) outages.report(thrown, { where: 'request' });
    expect(lines).toEqual([gone, other, other].map((thrown) => ['request', thrown]));
    outages.end();
  });

  it('are counted every ten seconds, until there are none', () => {
    vi.useFakeTimers();
    const { lines, outages } = reported();
    outages.report(gone, { where: 'first' });
    outages.report(gone, { where: 'second' });
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(2);
    outages.report(gone, { where: 'third' });
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(3);
    vi.advanceTimersByTime(10_000);
    outages.report(gone, { where: 'another outage' });
    expect(lines.at(-1)).toEqual(['another outage', gone]);
    outages.end();
    vi.useRealTimers();
  });
});

describe('a server', () => {
  let server: RunningServer;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshStore(ANY_DATABASE);
    ({ drop } = fresh);
    const place = fresh.store.kind === 'postgres' ? ['--database-url', fresh.store.url] : ['--data', 'memory'];
    server = await run(optionsFrom(['--dev', '--port', '0', '--metrics-port', '0', ...place]));
  });
  afterAll(async () => {
    await server.stop();
    await drop();
  });

  /** The status line and body of a request as it is written here. */
  const raw = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.on('data', (part) => (text += part.toString()));
      socket.once('error', reject);
      socket.once('close', () => resolve(text));
    });

  it.each(['/healthz', '/readyz', '/healthz?from=probe'])(
    'answers %s without a token and without a known host',
    async (path) => {
      for (const head of [
        `GET ${path} HTTP/1.0`,
        `GET ${path} HTTP/1.1\r\nConnection: close`,
        `GET ${path} HTTP/1.1\r\nHost: 10.0.0.7:4100\r\nConnection: close`,
      ]) {
        // prettier-ignore
        const text = await raw(`${head}\r\n\r\n`);
        expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
        expect(text).toContain('{"status":"ok"}');
        expect(text.toLowerCase()).not.toContain('access-control');
      }
    },
  );

  it('answers nothing else without a host that it knows', async () => {
    for (const [head, status] of [
      ['GET /sdk/v1/users/me HTTP/1.1\r\nConnection: close', 400],
      ['GET /sdk/v1/users/me HTTP/1.1\r\nHost: evil.example\r\nConnection: close', 421],
      ['GET /healthz/x HTTP/1.1\r\nHost: evil.example\r\nConnection: close', 421],
      ['POST /healthz HTTP/1.1\r\nConnection: close', 405],
      ['GET /readyz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close', 400],
    ] as const) {
      expect(await raw(`${head}\r\n\r\n`), head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    }
  });

  it('serves /metrics at its own address alone, with the checks of health', async () => {
    const { metricsUrl = '' } = server;
    expect(new URL(metricsUrl).port).not.toBe(new URL(server.url).port);
    await fetch(`${server.url}/sdk/v1/users/me`);
    const reply = await fetch(metricsUrl);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/u);
    const text = await reply.text();
    expect(text).toMatch(
      /^portico_http_requests_total\{method="GET",pattern="\/sdk\/v1\/users\/me",status="401"\} 1$/mu,
    );
    expect(text).toMatch(/^portico_info\{version="\d+\.\d+\.\d+"\} 1$/mu);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL('/readyz', metricsUrl))).status).toBe(200);
    expect((await fetch(new URL('/sdk/v1/users/me', metricsUrl))).status).toBe(404);
  });
});
