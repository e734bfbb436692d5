import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '#scripts/pgbouncer.ts';
import { startBalancer, type Balancer } from '../kit/balancer.ts';
import { DATABASES, freshStore, type Fields } from '../kit/harness.ts';
import { buildServer, killServers, request, startServer, type ServerProcess } from '../kit/server-process.ts';
import { steadyClient } from '../kit/steady-client.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];
const CLIENTS = SOAK ? 12 : 4;

describe.runIf(postgres !== undefined)('two servers behind a balancer, on one database', () => {
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let bouncer: PgBouncer | null = null;
  let servers: readonly ServerProcess[];
  let balancer: Balancer;
  let sessions: readonly string[];
  const [one, other] = [() => servers[0] as ServerProcess, () => servers[1] as ServerProcess];

  const start = () =>
    startServer(
      '--port',
      '0',
      '--database-url',
      bouncer?.through(databaseUrl) ?? databaseUrl,
      '--drain-seconds',
      SOAK ? '4' : '2',
    );

  beforeAll(async () => {
    await buildServer();
    const fresh = await freshStore(postgres);
    ({ drop } = fresh);
    databaseUrl = fresh.store.kind === 'postgres' ? fresh.store.url : '';
    // Where PgBouncer is installed, both servers share eight connections of it.
    if (findPgBouncer() !== null) bouncer = await startPgBouncer(databaseUrl, 8);
    servers = await Promise.all([start(), start()]);
    for (const { url, output } of servers) expect(url, output()).not.toBe('');
    balancer = await startBalancer(servers.map(({ url }) => url));
    const names = Array.from({ length: 3 }, (_, index) => `user${index}@example.com`);
    sessions = await Promise.all(names.map(signIn));
  });
  afterAll(async () => {
    balancer?.close();
    killServers();
    await bouncer?.stop();
    await drop?.();
  });

  const send = (at: string, email: string) => request(at, 'POST', '/sdk/v1/otps/email/login_or_create', { email });

  /** Each step at another server. */
  async function signIn(email: string): Promise<string> {
    const sent = await send(one().url, email);
    const inbox = (await (await fetch(`${other().url}/dev/inbox.json?to=${email}`)).json()) as Fields[];
    const { method_id } = sent['data'] as Fields;
    const body = { token: inbox[0]?.['code'], method_id, session_duration_minutes: 60 };
    const path = '/sdk/v1/otps/authenticate';
    return String((await request(other().url, 'POST', path, body))['data']['session_token']);
  }

  const clients = (urlsOf: (index: number) => readonly string[]) =>
    Array.from({ length: CLIENTS }, (_, index) => steadyClient(urlsOf(index), sessions[index % 3] ?? ''));
  const answeredBy = (count: number, all: ReturnType<typeof clients>) =>
    expect.poll(() => Math.min(...all.map(({ told }) => told.answers.get(200) ?? 0))).toBeGreaterThan(count);

  it('print the size of their pool', () => {
    expect(one().output()).toContain('database connections up to 20\n');
  });

  soakIt('count limits together', async () => {
    let [accepted, refused] = [0, 0];
    for (let turn = 0; refused < 2; turn += 1) {
      const at = turn % 2 === 0 ? one() : other();
      const { error_type } = await send(at.url, 'often@example.com');
      if (error_type !== undefined) expect(error_type).toBe('too_many_requests');
      refused = error_type === undefined ? 0 : refused + 1;
      accepted += error_type === undefined ? 1 : 0;
    }
    // By the clock of this machine: one more is accepted where a window of the limit ends meanwhile.
    expect([10, 11]).toContain(accepted);
  });

  soakIt('accept the ID tokens that the other signed for a test account', async () => {
    const keysAt = async ({ url }: ServerProcess) => (await fetch(`${url}/accounts/google/jwks`)).json();
    const [keys, otherKeys] = await Promise.all([keysAt(one()), keysAt(other())]);
    expect(keys).toMatchObject({ keys: [{ kty: 'RSA' }] });
    expect(otherKeys).toEqual(keys);
  });

  soakIt('stream the messages that the other posted', async () => {
    const reply = await fetch(`${one().url}/dev/inbox/stream`);
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    let text = new TextDecoder().decode((await reader.read()).value);
    await send(other().url, 'streamed@example.com');
    while (!text.includes('streamed@example.com')) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).not.toContain('user0@example.com');
    await reader.cancel();
  });

  async function survive(all: ReturnType<typeof clients>): Promise<void> {
    await answeredBy(Math.max(...all.map(({ told }) => told.answers.get(200) ?? 0)) + 3, all);
    for (const client of all) {
      const { answers, untimed } = await client.end();
      expect([...answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(untimed).toEqual([]);
    }
    expect(other().child.exitCode).toBeNull();
  }

  soakIt('survive the loss of all connections to the database', async () => {
    const all = clients(() => [balancer.url]);
    await answeredBy(3, all);
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await admin.end();
    await survive(all);
    for (const { told } of all) expect(told.lost).toEqual([]);
  });

  soakIt('lose no request of a client when one of them stops, directly and through the balancer', async () => {
    const all = clients((index) => (index % 2 === 0 ? [balancer.url] : [one().url, other().url]));
    await answeredBy(3, all);
    const before = all.map(({ told }) => told.answers.get(200) ?? 0);
    one().child.kill('SIGTERM');
    expect(await one().ended).toBe(0);
    await answeredBy(Math.max(...before) + 3, all);
    for (const client of all) {
      const { answers, lost } = await client.end();
      expect({ lost, statuses: [...answers.keys()] }).toEqual({ lost: [], statuses: [200] });
    }
    // The direct clients were asked to leave while the server still listened.
    for (const { told } of all.filter((_, index) => index % 2 === 1)) expect(told.closed).toBe(1);
  });

  soakIt('survive the loss of a process', async () => {
    const third = await start();
    balancer.add(third.url);
    const all = clients(() => [balancer.url]);
    await answeredBy(3, all);
    third.child.kill('SIGKILL');
    await survive(all);
  });
});
