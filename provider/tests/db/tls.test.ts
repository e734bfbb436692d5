import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, chmodSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '#scripts/lib/front-proxies.ts';
import { hasPrograms, startPostgres, type Postgres } from '#scripts/postgres.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { openFailure } from '#provider/operation/store/open-store.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** Needs a PostgreSQL of its own, whose settings it changes. */
describe.skipIf(!hasPrograms() || !hasProgram('openssl'))('PostgreSQL over TLS', () => {
  let own: Postgres;
  let url: URL;
  const folder = mkdtempSync(join(tmpdir(), 'portico-tls-'));
  const certificate = join(folder, 'root.pem');

  beforeAll(async () => {
    const started = await startPostgres();
    if ('reason' in started) throw new Error(started.reason);
    own = started;
    url = new URL(own.url);
    url.hostname = 'localhost';
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const data = rows[0]?.data_directory ?? '';
    const made = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ];
    const at = (name: string): string => join(data, name);
    const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', at('server.key'), '-out', at('server.crt')];
    execFileSync('openssl', ['req', '-x509', ...made, ...files], { stdio: 'ignore' });
    execFileSync('cp', [at('server.crt'), certificate]);
    const { uid, gid } = statSync(data);
    for (const name of ['server.key', 'server.crt']) chownSync(at(name), uid, gid);
    chmodSync(at('server.key'), 0o600);
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
    await client.end();
  });
  afterAll(async () => {
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const withTls = (parameters: Readonly<Record<string, string>>, host = 'localhost'): string => {
    const to = new URL(url);
    to.hostname = host;
    for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
    return to.href;
  };

  it('is used with sslmode=verify-full and the certificate of the authority', async () => {
    const verified = withTls({ sslmode: 'verify-full', sslrootcert: certificate });
    // The server adopts its settings some time after the statement.
    const isEncrypted = async (): Promise<boolean | undefined> => {
      const client = new pg.Client({ connectionString: verified });
      await client.connect();
      const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      await client.end();
      return rows[0]?.ssl;
    };
    await expect.poll(() => isEncrypted().catch(() => false)).toBe(true);
    const db = await openDatabase({ kind: 'postgres', url: verified });
    const { rows } = await sql<{ ssl: boolean }>`select bool_and(ssl) as ssl from pg_stat_ssl
      join pg_stat_activity using (pid) where backend_type = 'client backend'`.execute(db);
    expect(rows).toEqual([{ ssl: true }]);
    await db.destroy();
  });

  const failureOf = async (parameters: Readonly<Record<string, string>>, host?: string): Promise<string> => {
    const store = { kind: 'postgres', url: withTls(parameters, host) } as const;
    const thrown = await openDatabase(store).then(
      async (db) => db.destroy(),
      (error: unknown) => openFailure(store, error),
    );
    expect(thrown).toBeInstanceOf(UsageError);
    return (thrown as UsageError).message;
  };

  it('names what to write where it fails', async () => {
    expect(await failureOf({ sslmode: 'verify-full' })).toContain('write sslmode=verify-full&sslrootcert=FILE');
    const other = await failureOf({ sslmode: 'verify-full', sslrootcert: certificate }, '127.0.0.1');
    expect(other).toContain('The certificate is of another host: write the host that it names');
    const missing = await failureOf({ sslmode: 'verify-full', sslrootcert: join(folder, 'none.pem') });
    expect(missing).toContain('sslrootcert must name a file that this user can read.');
  });

  it('names what to write for a server without TLS', async () => {
    const plain = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end('N')));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    const store = { kind: 'postgres', url: `postgres://me@127.0.0.1:${port}/db?sslmode=verify-full` } as const;
    const error: unknown = await openDatabase(store).catch((thrown: unknown) => thrown);
    expect((openFailure(store, error) as UsageError).message).toContain('write sslmode=disable');
    plain.close();
  });
});
