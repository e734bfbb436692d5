import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import { readHosts } from '#provider/base/db/engine/hosts.ts';
import { openDatabase, openMigrated, openToMigrate } from '#provider/base/db/open.ts';
import { refuseStandby } from '#provider/operation/store/open-store.ts';
import { DATABASES, freshStore, PATIENCE } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
/** No program listens there. */
const CLOSED = '127.0.0.1:1';

it.each<[string, readonly string[], boolean]>([
  ['postgres://me@one/db', ['postgres://me@one/db'], false],
  ['postgres://me@/db?host=/run/postgresql', ['postgres://me@/db?host=/run/postgresql'], false],
  ['postgres:///db?user=me@one', ['postgres:///db?user=me@one'], false],
  ['postgresql://me:a%23%2F%3F%25@%2Frun%2Fpostgresql/db', ['postgresql://me:a%23%2F%3F%25@%2Frun%2Fpostgresql/db'], false],
  ['postgres://me:a,b%2Fc@one:1,two:2,[::1]:3/db?sslmode=no-verify',
    ['one:1', 'two:2', '[::1]:3'].map((host) => `postgres://me:a,b%2Fc@${host}/db?sslmode=no-verify`), false],
  ['postgres://one,two/db?target_session_attrs=any', ['one', 'two'].map((host) => `postgres://${host}/db?target_session_attrs=any`), false],
  ['postgres://one/db?target_session_attrs=primary', ['postgres://one/db?target_session_attrs=primary'], true],
  ['postgresql://one,two?a=b&target_session_attrs=read-write', ['one', 'two'].map((host) => `postgresql://${host}?a=b&target_session_attrs=read-write`), true],
])('the hosts of %s are each in a URL of its own', (url, urls, writes) => {
  expect(readHosts(url)).toEqual({ urls, writes });
}); // prettier-ignore

it.each([
  ['postgres://me:canary@one,,two/db', '--database-url has an empty or wrong host between its commas.'],
  ['postgres://me:canary@one,/db', '--database-url has an empty or wrong host between its commas.'],
  ['postgres://me:canary@one,two:port/db', '--database-url has an empty or wrong host between its commas.'],
  ...[
    'postgres://me:canary@/db?host=one,two',
    'postgres://me:canary@one/db?host=one%2Ctwo',
    'postgres://one/db?port=1,2',
  ].map((url): [string, string] => [
    url,
    '--database-url has several hosts or ports in its parameters: list them before the name of the database, as in postgres://one:5432,two:5432/portico.',
  ]),
  ...[
    'postgres://me:can#ary@one/db',
    'postgres://me:12#canary@one/db',
    'postgres://me:can/ary@one/db',
    'postgres://me:12/canary@one/db',
    'postgres://me:can?ary@one/db',
    'postgres://me:12?canary@one/db',
    'postgres://me:canary%@one/db',
    'postgres://me:can%zary@one/db',
    'postgres://one:port/db',
  ].map((url): [string, string] => [
    url,
    '--database-url is not a URL: write # as %23, / as %2F, ? as %3F and % as %25 in the user and the password.',
  ]),
  [
    'postgres://me:canary@one/db?target_session_attrs=standby',
    'target_session_attrs of --database-url must be any, primary or read-write.',
  ],
  ...['verify_full', 'allow', 'true', ''].map((mode): [string, string] => [
    `postgres://me:canary@one/db?sslmode=${mode}`,
    'sslmode of --database-url must be verify-full (encrypts and checks the server), no-verify (encrypts alone) or disable.',
  ]),
])('%s is refused', (url, message) => {
  expect(() => readHosts(url, '--database-url')).toThrow(message);
});

/** A way to a server, which can be closed with everything on it. */
async function wayTo(host: string, port: number) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => void sockets.delete(socket));
  };
  const way = createServer((socket) => {
    const there = keep(connect(port, host));
    keep(socket).pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return {
    at: `127.0.0.1:${(way.address() as AddressInfo).port}`,
    close: () => {
      const closed = new Promise<void>((resolve) => way.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

describe.runIf(POSTGRES !== undefined)('a database URL with several hosts', () => {
  let url: URL;
  let drop: () => Promise<void>;
  const opened: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const fresh = await freshStore(POSTGRES);
    if (fresh.store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
    ({ drop } = fresh);
    url = new URL(fresh.store.url);
  });
  afterAll(async () => {
    for (const close of opened) await close();
    await drop?.();
  });

  const through = (...hosts: readonly string[]): string =>
    `postgres://${url.username}@${hosts.join(',')}${url.pathname}?target_session_attrs=read-write`;
  const way = async () => {
    const made = await wayTo(url.hostname, Number(url.port));
    opened.push(made.close);
    return made;
  };

  soakIt('leads to the first that answers, and on to the next when it ends', async () => {
    const [one, two] = [await way(), await way()];
    const db = await openDatabase(
      { kind: 'postgres', url: through(CLOSED, one.at, two.at) },
      () => undefined,
      PATIENCE,
    );
    opened.unshift(() => db.destroy());
    const asked = () => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows);
    expect(await asked()).toEqual([{ one: 1 }]);
    await one.close();
    // The statement that is under way is lost; each later one finds the other server.
    await expect.poll(() => asked().catch(() => null)).toEqual([{ one: 1 }]);
    expect(await Promise.all([asked(), asked(), asked()])).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
    await two.close();
    await expect.poll(() => asked().catch((error: unknown) => error)).toBeInstanceOf(DatabaseUnavailable);
  });

  it('passes over a server that refuses writes', async () => {
    const { at } = await way();
    const name = sql.raw(url.pathname.slice(1));
    const owner = openMigrated(url.href, false, () => undefined, PATIENCE);
    opened.unshift(() => owner.destroy());
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(owner);
    const standby = openMigrated(through(at), false, () => undefined, PATIENCE);
    opened.unshift(() => standby.destroy());
    await expect(sql`select 1`.execute(standby)).rejects.toBeInstanceOf(DatabaseUnavailable);
    const store = { kind: 'postgres', url: through(CLOSED, at) } as const;
    await expect(openToMigrate(store, () => Promise.resolve('reached'))).rejects.toThrow(
      `${CLOSED}: connect ECONNREFUSED ${CLOSED}; ${at}: The server refuses writes, as a standby does.`,
    );
    const only = openMigrated(url.href, false, () => undefined, PATIENCE);
    opened.unshift(() => only.destroy());
    await expect(refuseStandby(only)).rejects.toThrow('it refuses writes, as a standby does.');
    await sql`alter database ${name} reset default_transaction_read_only`.execute(owner);
    expect((await sql`select 1 as one`.execute(standby)).rows).toEqual([{ one: 1 }]);
    expect(await openToMigrate(store, () => Promise.resolve('reached'))).toBe('reached');
  });
});
