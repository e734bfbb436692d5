import { getRequestListener } from '@hono/node-server';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import { createApp } from '../app.ts';
import { sweepAccess } from '../idp/sweep.ts';
import { systemClock, systemRandom } from '../platform.ts';
import { newToken } from '../security/secrets.ts';
import { InboxHub } from '../store/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../store/limits.ts';
import { sweep, SWEEP_EVERY_MS } from '../store/sweep.ts';
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
  const { db, keys, close } = await openStore(options.store, options);
  try {
    const inbox = new InboxHub();
    const loopback = options.host === null || isLoopbackHost(bracketed(options.host));
    const administered = options.store.kind === 'folder' && (loopback || EVERY_ADDRESS.has(options.host ?? ''));
    const adminSecret = newToken(systemRandom);
    const app = createApp({
      db,
      clock: systemClock,
      random: systemRandom,
      keys,
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      inbox,
      loopback,
      ...(administered ? { adminSecret } : {}),
      ...(options.verbose ? { log: (line: string) => process.stderr.write(`${line}\n`) } : {}),
    });
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const listening = await listen((req, res) => void listener(req, res), options.host, options.port);
    const host = loopback && options.host !== null ? bracketed(options.host) : '127.0.0.1';
    const removeAdminFile =
      administered && options.store.kind === 'folder'
        ? writeAdminFile(options.store.path, { url: `http://${host}:${listening.port}`, secret: adminSecret })
        : () => undefined;
    const sweepAll = async (): Promise<void> => {
      await sweep(db, systemClock);
      await sweepAccess({ db, clock: systemClock, keys });
    };
    await sweepAll();
    const sweeping = setInterval(() => void sweepAll().catch(() => undefined), SWEEP_EVERY_MS);
    return {
      url: `http://${options.host === null ? 'localhost' : bracketed(options.host)}:${listening.port}`,
      async stop() {
        clearInterval(sweeping);
        removeAdminFile();
        inbox.close();
        await listening.close();
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
