import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPrograms, startPostgres, type Postgres } from '#scripts/postgres.ts';
import { basic, freshStore, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { buildServer, killServers, request, startImpatientServer, type ServerProcess } from '../kit/server-process.ts';
import { swallowingProxy } from '../kit/swallowing-proxy.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

const ROUNDS = SOAK ? 15 : 1;
/** How many users sign in while connections are cut, and how many of them at least where the time ends before. */
const SIGN_INS = 200;
const FEWEST_SIGN_INS = 20;
/** Each step waits for refused connections, much longer on a busy machine. */
const CUTTING_MS = 300_000;
const minutes = { session_duration_minutes: 60 };

/** Needs PostgreSQL's programs, to stop and start a server. */
describe.skipIf(!hasPrograms())('outages of the database', () => {
  let own: Postgres;
  let server: ServerProcess;
  let proxy: Awaited<ReturnType<typeof swallowingProxy>>;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    await buildServer();
    const started = await startPostgres();
    if ('reason' in started) throw new Error(started.reason);
    own = started;
    const { store } = await freshStore(own.url, 'template1');
    const url = new URL(store.kind === 'postgres' ? store.url : '');
    proxy = await swallowingProxy(Number(url.port));
    url.port = String(proxy.port);
    server = await startImpatientServer('--port', '0', '--database-url', url.href);
    expect(server.url, server.output()).not.toBe('');
    acknowledged.push(await signIn('first@example.com'));
  });
  afterAll(async () => {
    proxy?.close();
    killServers();
    await own?.stop();
  });

  async function signIn(email: string): Promise<string> {
    const sent = await request(server.url, 'POST', '/sdk/v1/otps/email/login_or_create', { email });
    const inbox = (await (await fetch(`${server.url}/dev/inbox.json?to=${email}`)).json()) as Fields[];
    const { method_id } = sent['data'] as Fields;
    const body = { token: inbox[0]?.['code'], method_id, ...minutes };
    return String((await request(server.url, 'POST', '/sdk/v1/otps/authenticate', body))['data']['session_token']);
  }

  /** Repeats every step that is refused, as a client does; whatever is refused must say when to come back. */
  async function signInPatiently(email: string): Promise<string> {
    let refused = 0;
    const step = async (path: string, body: object): Promise<Fields> => {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; refused += 1) {
        const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' };
        const reply = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
        const answer = (await reply.json()) as Fields;
        if (reply.status === 200) return answer['data'] as Fields;
        // As one text, which the message of the assertion holds whole.
        expect(`${reply.status} ${answer['error_type']}`).toBe('503 service_unavailable');
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      throw new Error(`${path} was refused ${refused} times`);
    };
    const { method_id } = await step('/sdk/v1/otps/email/login_or_create', { email });
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      const inbox = await fetch(`${server.url}/dev/inbox.json?to=${email}`);
      if (inbox.status !== 200) continue;
      const [message] = (await inbox.json()) as Fields[];
      const body = { token: message?.['code'], method_id, ...minutes };
      return String((await step('/sdk/v1/otps/authenticate', body))['session_token']);
    }
    throw new Error('no inbox');
  }

  const authenticate = (session: string) =>
    fetch(`${server.url}/sdk/v1/sessions/authenticate`, {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, session), 'content-type': 'application/json' },
      body: JSON.stringify(minutes),
    });

  /** Sends one request after the other until it is stopped; resolves with the answers. */
  function load(session: string) {
    const told = new Map<number, number>();
    const stopping = new AbortController();
    const done = (async () => {
      while (!stopping.signal.aborted) {
        const reply = await authenticate(session);
        told.set(reply.status, (told.get(reply.status) ?? 0) + 1);
        if (reply.status !== 200) {
          expect(Number(reply.headers.get('retry-after')), `Retry-After of a ${reply.status}`).toBeGreaterThan(0);
          expect(((await reply.json()) as Fields)['error_type']).toBe('service_unavailable');
        }
      }
      return told;
    })();
    return {
      told,
      async end() {
        stopping.abort();
        return done;
      },
    };
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) if (await holds()) return;
    throw new Error(`not within ${PATIENCE_MS} ms; the server said: ${server.output()}`);
  }

  async function everythingIsThere(): Promise<void> {
    const expected = acknowledged.map((session) => ({ session, status: 200 }));
    const found = expected.map(async ({ session }) => ({ session, status: (await authenticate(session)).status }));
    expect(await Promise.all(found)).toEqual(expected);
  }

  it('a restart of the database under load ends no process and loses nothing', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const loads = [1, 2, 3, 4].map(() => load(acknowledged[0] ?? ''));
      const refusedAll = () => loads.every(({ told }) => (told.get(503) ?? 0) > 0);
      acknowledged.push(await signInPatiently(`round${round}@example.com`));
      await own.crash();
      await until(refusedAll);
      await own.start();
      const before = loads.map(({ told }) => told.get(200) ?? 0);
      await until(() => loads.every(({ told }, index) => (told.get(200) ?? 0) > (before[index] ?? 0)));
      for (const each of loads) expect(new Set((await each.end()).keys())).toEqual(new Set([200, 503]));
      await everythingIsThere();
    }
    expect(server.child.exitCode).toBeNull();
  });

  soakIt(
    'a network that delays, and cuts connections in the middle of a message, loses nothing that was acknowledged',
    async ({ signal }) => {
      let seed = 7;
      const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      proxy.disturb(() => 3_000 + Math.floor(random() * 30_000));
      // Which connection is cut when, and so how often a step is refused, differs from run to run.
      const end = Date.now() + CUTTING_MS;
      for (let count = 0; count < SIGN_INS && (count < FEWEST_SIGN_INS || Date.now() < end); count += 1) {
        // A test that is out of time would go on beside the next one.
        signal.throwIfAborted();
        const session = await signInPatiently(`cut${count}@example.com`).catch((error: unknown) => error);
        // The code was used although its answer was lost.
        if (typeof session === 'string') acknowledged.push(session);
        else expect(String(session)).toMatch(/otp_code_not_found/u);
      }
      proxy.letThrough();
      await until(async () => (await authenticate(acknowledged[0] ?? '')).status === 200);
      await everythingIsThere();
      expect(server.child.exitCode).toBeNull();
    },
    600_000,
  );

  soakIt('a network that swallows every byte makes no request hang', async () => {
    // Opens connections that are idle afterwards.
    await Promise.all(Array.from({ length: 8 }, () => authenticate(acknowledged[0] ?? '')));
    proxy.swallow();
    const replies = await Promise.all(Array.from({ length: 30 }, () => authenticate(acknowledged[0] ?? '')));
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([503]);
    expect(replies.every(({ headers }) => headers.has('retry-after'))).toBe(true);
    proxy.letThrough();
    await until(async () => (await authenticate(acknowledged[0] ?? '')).status === 200);
    await everythingIsThere();
    expect(server.child.exitCode).toBeNull();
  });
});
