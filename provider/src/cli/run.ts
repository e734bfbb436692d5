import { getRequestListener, RequestError } from '@hono/node-server';
import { createApp } from '../app.ts';
import { databaseClock } from '../db/clock.ts';
import { reportToStderr } from '../error-log.ts';
import { systemRandom } from '../platform.ts';
import type { Project } from '../project/project.ts';
import { sharedJudge } from '../passwords/judge.ts';
import { newToken } from '../security/secrets.ts';
import type { Carriers } from '../outbox/carrier.ts';
import { carriedBy, startDelivery, undeliveredText } from '../outbox/delivery.ts';
import { InboxHub } from '../outbox/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../project/limits.ts';
import { sweepRegularly } from '../retention/sweep.ts';
import { writeAdminFile } from './admin-file.ts';
import { listen } from './listen.ts';
import { openStore } from './open-store.ts';
import { bracketed, type CliOptions } from './options.ts';
import { isLocal, projectToServe } from './serving.ts';

export interface Running {
  readonly url: string;
  readonly project: Pick<Project, 'public_token' | 'project_id' | 'session_cookies'>;
  /** What the operator should know about messages that this server does not deliver. */
  readonly undelivered?: string | null;
  stop(): Promise<void>;
}

/** What the server prints when it is ready. */
export function readyText({ url, project, undelivered = null }: Omit<Running, 'stop'>): string {
  const { public_token, project_id, session_cookies } = project;
  const { http_only, domain, same_site } = session_cookies;
  const lines = [`listening on ${url}`, `public token ${public_token}`, `project id ${project_id}`];
  if (http_only && domain !== null) {
    lines.push(`session cookies HttpOnly, SameSite=${same_site}, for pages and this API on hosts of ${domain}`);
  }
  if (undelivered !== null) lines.push(undelivered);
  return `${lines.join('\n')}\n`;
}

/** The addresses that mean all addresses of this machine, including loopback. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The response when the app itself failed to answer. */
function errorHandler(error: unknown): Response {
  if (error instanceof RequestError) return new Response(null, { status: 400 });
  reportToStderr(error, { where: 'request', status: 500 });
  return new Response(null, { status: 500 });
}

/** Starts the server. Rejects with a UsageError when the operator can fix the problem. */
export async function run(options: CliOptions): Promise<Running> {
  const project = projectToServe(options);
  const { db, keys, close } = await openStore(options.store, options);
  try {
    const clock = await databaseClock(db);
    const inbox = new InboxHub();
    const loopback = isLocal(options);
    const administered = options.store.kind === 'folder' && (loopback || EVERY_ADDRESS.has(options.host ?? ''));
    const adminSecret = newToken(systemRandom);
    const carriers: Carriers = {};
    const services = {
      db,
      clock,
      random: systemRandom,
      keys,
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      inbox,
      carried: carriedBy(carriers),
      loopback,
      dev: options.dev,
      report: reportToStderr,
    };
    const app = createApp({
      ...services,
      ...(administered ? { adminSecret } : {}),
      ...(options.verbose ? { log: (line: string) => process.stderr.write(`${line}\n`) } : {}),
    });
    // Loads the dictionaries in a separate thread. After a failure, the first request that needs them tries again.
    void sharedJudge()
      .warm()
      .catch(() => undefined);
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler });
    const listening = await listen((req, res) => void listener(req, res), options.host, options.port);
    const host = loopback && options.host !== null ? bracketed(options.host) : '127.0.0.1';
    const removeAdminFile =
      administered && options.store.kind === 'folder'
        ? writeAdminFile(options.store.path, { url: `http://${host}:${listening.port}`, secret: adminSecret })
        : () => undefined;
    const onError = (error: unknown): void => reportToStderr(error, { where: 'sweep' });
    const sweeping = sweepRegularly({ db, clock, keys, dev: options.dev, onError }, () => clock.read());
    const delivering = startDelivery(services, carriers);
    return {
      project,
      undelivered: undeliveredText(carriers, options.dev),
      url: `http://${options.host === null ? 'localhost' : bracketed(options.host)}:${listening.port}`,
      async stop() {
        const swept = sweeping.stop();
        clock.stop();
        removeAdminFile();
        inbox.close();
        await listening.close();
        await swept;
        await delivering?.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
