import { getRequestListener } from '@hono/node-server';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import { createApp } from '../app.ts';
import { databaseClock } from '../db/clock.ts';
import { sqlState } from '../db/database-errors.ts';
import { systemRandom } from '../platform.ts';
import { sharedJudge } from '../security/password-judge.ts';
import { newToken } from '../security/secrets.ts';
import { InboxHub } from '../store/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../store/limits.ts';
import { sweepRegularly } from '../store/sweep.ts';
import { writeAdminFile } from './admin-file.ts';
import { listen } from './listen.ts';
import { openStore } from './open-store.ts';
import type { CliOptions } from './options.ts';
import { readProject } from './project-file.ts';

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** Addresses that stand for all of this machine's, loopback among them. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Starts the server that the options describe. Rejects with a UsageError for what the operator can mend. */
export async function run(options: CliOptions): Promise<Running> {
  const project = readProject(options.projectFile, options.authorizationUrl);
  const { db, keys, close } = await openStore(options.store, options.fresh);
  try {
    const clock = await databaseClock(db);
    const inbox = new InboxHub();
    const loopback = options.host === null || isLoopbackHost(bracketed(options.host));
    const administered = options.store.kind === 'folder' && (loopback || EVERY_ADDRESS.has(options.host ?? ''));
    const adminSecret = newToken(systemRandom);
    const app = createApp({
      db,
      clock,
      random: systemRandom,
      keys,
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      inbox,
      loopback,
      ...(administered ? { adminSecret } : {}),
      ...(options.verbose ? { log: (line: string) => process.stderr.write(`${line}\n`) } : {}),
    });
    // Loads dictionaries in a thread of its own. What fails is tried again by who asks.
    void sharedJudge()
      .warm()
      .catch(() => undefined);
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const listening = await listen((req, res) => void listener(req, res), options.host, options.port);
    const host = loopback && options.host !== null ? bracketed(options.host) : '127.0.0.1';
    const removeAdminFile =
      administered && options.store.kind === 'folder'
        ? writeAdminFile(options.store.path, { url: `http://${host}:${listening.port}`, secret: adminSecret })
        : () => undefined;
    const onError = (error: unknown): void => {
      const { cause: before, name } = error instanceof Error ? error : new Error();
      const cause = sqlState(error) || sqlState(before) || name;
      process.stderr.write(`A sweep failed: ${cause}\n`);
    };
    const sweeping = sweepRegularly({ db, clock, onError }, () => clock.read());
    return {
      url: `http://${options.host === null ? 'localhost' : bracketed(options.host)}:${listening.port}`,
      async stop() {
        const swept = sweeping.stop();
        clock.stop();
        removeAdminFile();
        inbox.close();
        await listening.close();
        await swept;
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
