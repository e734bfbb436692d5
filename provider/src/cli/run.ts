import { getRequestListener, RequestError } from '@hono/node-server';
import { createApp } from '../app.ts';
import { databaseClock } from '../db/clock.ts';
import { reportTo, type Report } from '../error-log.ts';
import { logToStderr } from '../log/log.ts';
import { NO_METRICS } from '../metrics/metrics.ts';
import type { Services } from '../services.ts';
import { systemRandom } from '../platform.ts';
import type { Project } from '../project/project.ts';
import { sharedJudge } from '../passwords/judge.ts';
import { newToken } from '../security/secrets.ts';
import { InboxHub } from '../outbox/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../project/limits.ts';
import { sweepRegularly } from '../retention/sweep.ts';
import { writeAdminFile } from './admin-file.ts';
import { Draining } from '../http/draining.ts';
import { listen } from './listen.ts';
import { openBreachedPasswords } from './open-breaches.ts';
import { serveOperators } from './serve-operators.ts';
import { openStore, poolSizeOf } from './open-store.ts';
import { bracketed, type CliOptions } from './options.ts';
import { projectJson } from './project-file.ts';
import { isLocal, projectToServe } from './serving.ts';
import { stopping, type Stopping } from './stopping.ts';
import { unknownVariables } from './unknown-variables.ts';

export interface Running extends Stopping {
  readonly url: string;
  readonly project: Pick<Project, 'public_token' | 'project_id' | 'session_cookies'>;
  /** The most connections to a PostgreSQL database; absent for an embedded one. */
  readonly connections?: number;
  /** Where the operators' page is; absent where it is not served. */
  readonly operatorsUrl?: string;
}

/** What the server prints when it is ready. */
export function readyText({ url, project, connections, operatorsUrl }: Omit<Running, 'stop'>): string {
  const { public_token, project_id, session_cookies } = project;
  const { http_only, domain, same_site } = session_cookies;
  const lines = [`listening on ${url}`, `public token ${public_token}`, `project id ${project_id}`];
  if (http_only && domain !== null) {
    lines.push(`session cookies HttpOnly, SameSite=${same_site}, for pages and this API on hosts of ${domain}`);
  }
  if (connections !== undefined) lines.push(`database connections up to ${connections}`);
  if (operatorsUrl !== undefined) lines.push(`operators’ page ${operatorsUrl}`);
  return `${lines.join('\n')}\n`;
}

/** The addresses that mean all addresses of this machine, including loopback. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The response when the app itself failed to answer. */
const errorHandler =
  (report: Report) =>
  (error: unknown): Response => {
    if (error instanceof RequestError) return new Response(null, { status: 400 });
    report(error, { where: 'request', status: 500 });
    return new Response(null, { status: 500 });
  };

/** Starts the server. Rejects with a UsageError when the operator can fix the problem. */
export async function run(options: CliOptions): Promise<Running> {
  const project = projectToServe(options);
  const log = logToStderr(options.log);
  const report = reportTo(log);
  for (const unknown of unknownVariables(process.env, projectJson(options.projectFile))) {
    log.warn('an unknown variable has no effect', { ...unknown });
  }
  const breaches = await openBreachedPasswords(options.breachedPasswords);
  const { db, keys, close } = await openStore(options.store, options);
  try {
    const clock = await databaseClock(db);
    const inbox = new InboxHub();
    const draining = new Draining();
    const loopback = isLocal(options);
    const administered = options.store.kind === 'folder' && (loopback || EVERY_ADDRESS.has(options.host ?? ''));
    const adminSecret = newToken(systemRandom);
    const services: Services = {
      db,
      clock,
      random: systemRandom,
      keys,
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      inbox,
      draining,
      breaches,
      dev: options.dev,
      report,
      metrics: NO_METRICS,
    };
    const operators = options.operators === null ? null : await serveOperators(services, options.operators);
    const app = createApp({
      ...services,
      ...(operators === null ? {} : { operatorsOrigin: operators.origin }),
      loopback,
      log,
      ...(administered ? { adminSecret } : {}),
    });
    // Loads the dictionaries in a separate thread. After a failure, the first request that needs them tries again.
    void sharedJudge()
      .warm()
      .catch(() => undefined);
    const listener = getRequestListener(app.fetch, {
      overrideGlobalObjects: false,
      errorHandler: errorHandler(report),
    });
    const listening = await listen((req, res) => void listener(req, res), options.host, options.port, { draining });
    const host = loopback && options.host !== null ? bracketed(options.host) : '127.0.0.1';
    const removeAdminFile =
      administered && options.store.kind === 'folder'
        ? writeAdminFile(options.store.path, { url: `http://${host}:${listening.port}`, secret: adminSecret })
        : () => undefined;
    const onError = (error: unknown): void => report(error, { where: 'sweep' });
    const sweeping = sweepRegularly({ db, clock, keys, dev: options.dev, onError }, () => clock.read());
    return {
      project,
      ...(operators === null ? {} : { operatorsUrl: `${operators.origin}/operators` }),
      ...(options.store.kind === 'postgres' ? { connections: poolSizeOf(options) } : {}),
      url: `http://${options.host === null ? 'localhost' : bracketed(options.host)}:${listening.port}`,
      ...stopping({
        draining,
        drainMs: options.drainSeconds * 1000,
        listening,
        endStreams: () => inbox.close(),
        background: [async () => operators?.close(), () => sweeping.stop()],
        async close() {
          clock.stop();
          removeAdminFile();
          await breaches?.close();
          await close();
        },
      }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
