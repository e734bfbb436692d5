import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import { createApp } from '../app.ts';
import { openDatabase, type Store } from '../db/open.ts';
import type { Db } from '../db/tables.ts';
import { systemClock, systemRandom } from '../platform.ts';
import { DEMO_PROJECT, projectFrom, type Project } from '../project/project.ts';
import { keysInDatabase, keysInFile, temporaryKeys, type ServerKeys } from '../security/server-keys.ts';
import { InboxHub } from '../store/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../store/limits.ts';
import { sweep, SWEEP_EVERY_MS } from '../store/sweep.ts';
import { lockFolder } from './folder-lock.ts';
import { listen } from './listen.ts';
import { UsageError, type CliOptions } from './options.ts';

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the server that the options describe. Rejects with a UsageError for what the operator can mend. */
export async function run(options: CliOptions): Promise<Running> {
  const project = readProject(options.projectFile);
  const unlock = prepare(options);
  const db = await open(options.store).catch((error: unknown) => {
    unlock();
    throw error;
  });
  try {
    const inbox = new InboxHub();
    const app = createApp({
      db,
      clock: systemClock,
      random: systemRandom,
      keys: await keysFor(options.store, db),
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      inbox,
      loopback: options.host === null || isLoopbackHost(bracketed(options.host)),
      ...(options.verbose ? { log: (line: string) => process.stderr.write(`${line}\n`) } : {}),
    });
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const listening = await listen((req, res) => void listener(req, res), options.host, options.port);
    await sweep(db, systemClock);
    const sweeping = setInterval(() => void sweep(db, systemClock).catch(() => undefined), SWEEP_EVERY_MS);
    return {
      url: `http://${options.host === null ? 'localhost' : bracketed(options.host)}:${listening.port}`,
      async stop() {
        clearInterval(sweeping);
        inbox.close();
        await listening.close();
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    await db.destroy();
    unlock();
    throw error;
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The project file that comes with the provider, wherever it was built to; null when it is not there. */
function ownProjectFile(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'provider', 'project.json');
    if (existsSync(path)) return path;
  }
  return null;
}

function readProject(given: string | null): Project {
  const path = given ?? ownProjectFile();
  if (path === null) return DEMO_PROJECT;
  try {
    return projectFrom(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Makes and locks the data folder, and empties it when asked to. */
function prepare({ store, fresh }: CliOptions): () => void {
  if (store.kind !== 'folder') return () => undefined;
  try {
    mkdirSync(store.path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(`Cannot make the data folder ${store.path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
  const unlock = lockFolder(store.path);
  if (fresh) {
    for (const name of ['db.ready', 'db', 'keys.json'])
      rmSync(join(store.path, name), { recursive: true, force: true });
  }
  return unlock;
}

async function open(store: Store): Promise<Db> {
  try {
    return await openDatabase(store);
  } catch (error) {
    const reason =
      error instanceof Error && error.message !== '' ? error.message : String((error as { code?: unknown }).code);
    if (store.kind === 'postgres') throw new UsageError(`Cannot use the database: ${reason}`);
    if (store.kind === 'folder') throw new UsageError(`Cannot open the data folder ${store.path}: ${reason}`);
    throw error;
  }
}

function keysFor(store: Store, db: Db): Promise<ServerKeys> {
  if (store.kind === 'folder') return keysInFile(join(store.path, 'keys.json'));
  return store.kind === 'postgres' ? keysInDatabase(db) : temporaryKeys();
}
