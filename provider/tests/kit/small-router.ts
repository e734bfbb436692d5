import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_PROXIES, trustedProxies } from '#provider/base/http/arrival.ts';
import { createLog } from '#provider/base/log/log.ts';
import { listen } from '#provider/operation/server/listen.ts';
import { Fleet } from '#provider/operation/projects/fleet.ts';
import type { Bodies } from '#provider/base/http/bodies.ts';
import { projectNames, readFolder } from '#provider/operation/projects/folder.ts';
import type { Patience } from '#provider/operation/projects/project-process.ts';
import { RouterMetrics } from '#provider/base/metrics/router-metrics.ts';
import { makeRouter } from '#provider/operation/projects/router.ts';

/** What a small server tells about a request. */
export interface Echo {
  readonly project: string;
  readonly pid: number;
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: number;
}

/** Sends bytes, and resolves with all that comes until the connection is closed. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (part) => (answer += String(part)));
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

interface AskInit {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends a request and resolves when the reply begins. */
export function openAt(url: string, host: string, path: string, { method = 'GET', headers, body }: AskInit = {}) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(url, { method, path, headers: { host, ...headers }, agent: false }, resolve);
    sending.once('error', reject);
    sending.end(body);
  });
}

/** Sends a request and resolves with the whole reply; rejects if it breaks off. */
export async function askAt(url: string, host: string, path: string, init: AskInit = {}) {
  const reply = await openAt(url, host, path, init);
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const { statusCode: status = 0, headers, statusMessage, rawHeaders } = reply;
  return { status, headers, statusMessage, rawHeaders, text, json: () => JSON.parse(text) as Echo };
}

interface RouterSettings extends Partial<Patience> {
  readonly most?: number;
  readonly keep?: readonly string[];
  readonly wakeMs?: number;
  readonly trustProxy?: string;
  readonly answerMs?: number;
  readonly bodies?: Bodies;
  /** The projects at the start. */
  readonly projects?: readonly string[];
  /** Fields of their project files, by their names. */
  readonly fields?: Readonly<Record<string, object>>;
}

/** Longer than any test: what happens was not for want of time. */
const NEVER_MS = 1_000_000;

const all = new Set<{ readonly close: () => Promise<void> }>();

/** A router whose projects have small servers in place of whole ones. */
export async function smallRouter(settings: RouterSettings = {}) {
  const {
    most = 10,
    keep = [],
    wakeMs = null,
    trustProxy,
    projects = ['shop', 'blog'],
    fields,
    answerMs,
    bodies,
    ...patience
  } = settings;
  const root = mkdtempSync(join(tmpdir(), 'portico-projects-'));
  const logged: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', format: 'json' }, (line) => logged.push(JSON.parse(line)));
  const metrics: RouterMetrics = new RouterMetrics(() => fleet.states);
  for (const name of projects) makeProject(root, name, fields?.[name]);
  const fleet = new Fleet({
    names: () => projectNames(root),
    read: (name) => readFolder(root, name, (text) => JSON.parse(text)),
    keep,
    most,
    patience: { idleMs: NEVER_MS, waitMs: NEVER_MS, stayMs: NEVER_MS, startMs: NEVER_MS, restMs: 1, ...patience },
    wakeMs,
    program: {
      words: [fileURLToPath(new URL('small-server-worker.mjs', import.meta.url))],
      variables: {},
      log,
      writeLine: (project, line) => logged.push({ project, line }),
    },
    log,
    counts: metrics,
  });
  const proxies = trustProxy === undefined ? NO_PROXIES : trustedProxies(trustProxy);
  const limits = { ...(answerMs && { answerMs }), ...(bodies && { bodies }) };
  const router = makeRouter({ proxies, log, find: (names) => fleet.find(names), ...limits });
  const listening = await listen(router.listener, null, 0);
  fleet.start();
  const url = `http://127.0.0.1:${listening.port}`;
  const close = async (): Promise<void> => {
    all.delete(made);
    router.endStreams();
    await Promise.all([listening.close(), fleet.close()]);
    rmSync(root, { recursive: true, force: true });
  };
  const made = {
    root,
    url,
    port: listening.port,
    fleet,
    router,
    logged,
    close,
    metrics: async () => (await metrics.text()).body,
    /** What the log says about a project. */
    said: (project: string) =>
      logged.filter((line) => line['project'] === project).map((line) => line['message'] ?? line['line']),
    make: (name: string, fields: object = {}) => makeProject(root, name, fields),
    forget: (name: string) => rmSync(join(root, name, 'portico.jsonc')),
    /** The processes that a project has had. */
    starts: (name: string): readonly string[] => {
      const path = join(root, name, 'starts');
      return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    },
    /** A request to the host of a project. */
    ask: (project: string, path = '/', init: AskInit = {}) => askAt(url, `${project}.example`, path, init),
  };
  all.add(made);
  return made;
}

function makeProject(root: string, name: string, fields: object = {}): void {
  mkdirSync(join(root, name), { recursive: true });
  const project = {
    public_token: `public-token-test-${name}`,
    project_id: `project-test-${name}`,
    issuer: `https://${name}.example`,
    ...fields,
  };
  writeFileSync(join(root, name, 'portico.jsonc'), JSON.stringify(project));
}

export async function closeRouters(): Promise<void> {
  await Promise.all([...all].map((router) => router.close()));
}
