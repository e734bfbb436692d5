import { request as send } from 'node:http';
import pg from 'pg';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { basic, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { startServerAt, type ServerProcess } from '../kit/server-process.ts';

/** Several servers on one database, with a balancer that never sends two successive requests to the same server. */

/** The host name of all servers in a browser. */
export const HOST = 'localhost:4100';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Fields;
  /** The reply's `data`. */
  readonly data: Fields;
}

export interface ClusterRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts all servers at once. Each clock is ahead by its skew, in milliseconds. */
export async function startCluster(databaseUrl: string, skews: readonly number[], args: readonly string[]) {
  const servers = await Promise.all(
    skews.map((skew) => startServerAt(skew, '--port', '0', '--database-url', databaseUrl, ...args)),
  );
  for (const { url, output } of servers) if (url === '') throw new Error(output());
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  let turn = 0;
  const next = (): ServerProcess => {
    turn = (turn + 1) % servers.length;
    const server = servers[turn];
    if (server === undefined) throw new Error('no server');
    return server;
  };

  function ask(path: string, asked: ClusterRequest = {}, { url } = next()): Promise<Answer> {
    const { method = 'GET', headers = {}, body } = asked;
    return new Promise((resolve, reject) => {
      const sending = send(url + path, { method, headers: { ...headers, host: HOST } }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.once('error', reject);
        reply.once('end', () => {
          const json = parseJson(text);
          const fields = (isRecord(json) ? json : {}) as Fields;
          const data = (fields['data'] ?? {}) as Fields;
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, body: fields, data });
        });
      });
      sending.once('error', reject);
      sending.end(body);
    });
  }

  function call(method: string, path: string, body?: object, session = PUBLIC_TOKEN, at = next()): Promise<Answer> {
    const authorization = basic(PUBLIC_TOKEN, session);
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return ask(`/sdk/v1${path}`, { method, headers, ...text }, at);
  }

  /** Like `call`, but fails unless the request succeeds. */
  async function post(path: string, body?: object, session?: string, at?: ServerProcess): Promise<Fields> {
    const { status, data, text } = await call('POST', path, body, session, at);
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return data;
  }

  return {
    servers,
    ask,
    call,
    post,
    /** Sends a form to an endpoint for connected apps, or of the account page. */
    form: (path: string, fields: Readonly<Record<string, string>>, headers: ClusterRequest['headers'] = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    /** The user of the session, according to each server. */
    everywhere: (session: string) =>
      Promise.all(
        servers.map(async (server) => {
          const { status, data } = await call('GET', '/users/me', undefined, session, server);
          return status === 200 ? String(data['user_id']) : status;
        }),
      ),
    /** The newest message to an address, as a delivery program reads it. */
    async message(to: string): Promise<{ readonly code: string; readonly text: string; readonly token: string }> {
      const newest = 'select code, link, text from outbox where recipient = $1 order by seq desc limit 1';
      const { rows } = await database.query<{ code: string | null; link: string | null; text: string }>(newest, [to]);
      const { code = null, link = null, text = '' } = rows[0] ?? {};
      return { code: code ?? '', text, token: link === null ? '' : (new URL(link).searchParams.get('token') ?? '') };
    },
    database,
    async stop() {
      await database.end();
      for (const { child } of servers) child.kill('SIGTERM');
      return Promise.all(servers.map(({ ended }) => ended));
    },
  };
}
