import { userInfo } from 'node:os';
import { parseJson } from '#domain/json.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { perform } from '../operators/commands.ts';
import { IMPORT_BYTES } from '../operators/users/import-lines.ts';
import { databaseClock } from '#provider/base/db/statements/clock.ts';
import { holdsDatabase } from '#provider/base/db/folder.ts';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';
import { reportToStderr } from '#provider/base/log/error-log.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { InboxHub } from '#provider/messages/inbox-hub.ts';
import { randomOf } from '#provider/base/platform.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Services } from '#provider/api/services.ts';
import { isServing, readAdminFile, type AdminAccess } from '../store/admin-file.ts';
import type { DataLocation } from '../options/data-location.ts';
import { developersKeySource } from '../store/key-file.ts';
import { missingRight } from '../store/missing-right.ts';
import { openStore } from '../store/open-store.ts';
import { readProject } from '../options/project-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** Without a server there is no request, but a batch is one transaction, which must end within seconds. */
const MOST_BYTES = 1_000_000;

type Answer = Readonly<Record<string, unknown>>;

/** A way to run the operator's actions: through the server that holds the folder, or directly on the store. */
export interface ActionRunner {
  readonly project: Project;
  /** The largest request, in bytes of its fields. */
  readonly mostBytes: number;
  run(action: string, fields: Answer): Promise<Answer>;
  close(): Promise<void>;
}

/** Uses the server that holds the folder if there is one, otherwise the store. */
export async function operate(place: DataLocation, by: string | null): Promise<ActionRunner> {
  // A command serves nothing, so it also accepts a project file for development.
  const project = readProject(place.projectFile, null, true);
  const operator = by ?? nameHere();
  const access = place.store.kind === 'folder' ? readAdminFile(place.store.path) : null;
  if (access !== null && (await isServing(access))) {
    return {
      project,
      mostBytes: IMPORT_BYTES,
      close: () => Promise.resolve(),
      run: (action, fields) => throughServer(access, action, { ...fields, operator }),
    };
  }
  return directly(place, project, operator);
}

/** The name of this process's user; its number if it has no name, as in containers that run under an arbitrary number. */
export function nameHere(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

async function throughServer({ url, secret }: AdminAccess, action: string, fields: Answer): Promise<Answer> {
  const reply = await loopbackFetch(`${url}/admin/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => null);
  if (reply === null) throw new UsageError(`The server at ${url} stopped before it answered.`);
  const body = parseJson(await reply.text());
  if (reply.ok && isRecord(body) && isRecord(body['data'])) return body['data'];
  const { error_message: message, body: issues } = isRecord(body) ? body : {};
  const [issue] = Array.isArray(issues) ? (issues as readonly unknown[]) : [];
  if (isRecord(issue)) throw new UsageError(`${String(issue['message'])}.`);
  throw new UsageError(typeof message === 'string' ? message : `The server at ${url} does not answer as a provider.`);
}

async function directly(
  { store, masterKey, migrating }: DataLocation,
  project: Project,
  operator: string,
): Promise<ActionRunner> {
  // A command in the wrong folder must not create a database there and answer from it.
  if (store.kind === 'folder' && !holdsDatabase(store.path)) {
    throw new UsageError(
      `There is no data in ${store.path}: name the folder of the server with --data, or its database with --database-url.`,
    );
  }
  const { db, keys, close } = await openStore(store, { masterKey: masterKey ?? developersKeySource(), migrating });
  const clock = await databaseClock(db);
  clock.stop();
  const limits = { ...DEFAULT_LIMITS, ...project.limits };
  const inbox = new InboxHub();
  const services: Services = {
    db,
    keys,
    project,
    clock,
    limits,
    inbox,
    random: randomOf(project),
    metrics: NO_METRICS,
    dev: false,
    report: reportToStderr,
  };
  return {
    project,
    mostBytes: MOST_BYTES,
    close,
    async run(action, fields) {
      try {
        // In the form in which a server would send it.
        return JSON.parse(JSON.stringify(await perform(services, action, { ...fields, operator }))) as Answer;
      } catch (error) {
        if (error instanceof SchemaRefusal)
          throw new UsageError(`${error.body[0]?.message ?? error.message}.`, { cause: error });
        if (error instanceof Refusal) throw new UsageError(error.message, { cause: error });
        throw missingRight(error) ?? error;
      }
    },
  };
}
