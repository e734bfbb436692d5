import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import { createLog, writerToStderr } from '#provider/base/log/log.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { Check } from '../health/health.ts';
import { withHealth } from '../health/listener.ts';
import type { ServerProgram } from '../projects/child.ts';
import { Fleet } from '../projects/fleet.ts';
import { projectNames, readFolder, type ProjectFolder } from '../projects/folder.ts';
import { makeRouter } from '../projects/router.ts';
import { RouterMetrics } from '#provider/base/metrics/router-metrics.ts';
import { Connections, LIMITS } from './connections.ts';
import { listen } from './listen.ts';
import { serveMetrics } from './metrics-server.ts';
import { OPTIONS, type OptionName, type OptionSpec } from '../options/option-table.ts';
import type { Environment, OptionValues } from '../options/option-values.ts';
import {
  DEFAULT_PORT,
  DRAIN_SECONDS,
  hostOf,
  KEEP_ALIVE_SECONDS,
  logFrom,
  metricsFrom,
  numberOf,
  optionsFrom,
  urlOf,
  type CliOptions,
} from '../options/options.ts';
import { jsonOf } from '../options/project-text.ts';
import { proxiesOf } from './serving.ts';
import { stopping } from './stopping.ts';

/** The server options that the router itself uses. */
export const PROJECTS_OPTIONS = [
  'port',
  'host',
  'trustProxy',
  'keepAlive',
  'drainSeconds',
  'logLevel',
  'logFormat',
  'metricsPort',
  'metricsHost',
] as const satisfies readonly OptionName[];

/** The options that all projects get from the router's variables. All others belong to a project. */
const SHARED: readonly OptionName[] = ['poolSize', 'noMigrate', 'outgoingProxy', 'breachedPasswords', 'otel'];

interface ProjectsFields {
  readonly folder: string;
  readonly keep?: readonly string[] | undefined;
  readonly most?: string | undefined;
  readonly idle_seconds?: string | undefined;
  readonly wait_seconds?: string | undefined;
  readonly wake_minutes?: string | undefined;
}

type RouterOptions = OptionValues<(typeof PROJECTS_OPTIONS)[number]>;

const DEFAULTS = { most: 10, idleSeconds: 900, waitSeconds: 20, wakeMinutes: 60 };
/** The minimum time that a woken server runs, enough to sweep a small database and send messages. */
const STAY_MS = 60_000;
/** Longer than any migration: a migration that is ended continues with the next start, and would be ended again. */
const START_MS = 30 * 60_000;
const REST_MS = 1_000;

/** The command `projects FOLDER`. Resolves after a signal has stopped it. */
export async function runProjects(
  fields: ProjectsFields,
  options: RouterOptions,
  print: (text: string) => void,
): Promise<string> {
  let reload = (): void => undefined;
  // Set before the start, because Node's default for SIGHUP is to end the process.
  const again = (): void => reload();
  process.on('SIGHUP', again);
  const router = await startRouter(fields, options).catch((error: unknown) => {
    process.off('SIGHUP', again);
    throw error;
  });
  reload = () => router.reload();
  const lines = [`listening on ${router.url}`, `projects ${router.names.join(', ') || 'none yet'}`];
  if (router.metricsUrl !== null) lines.push(`metrics on ${router.metricsUrl}`);
  print(lines.join('\n'));
  await new Promise<void>((resolve) => {
    const stop = (): void => void router.stop().then(resolve);
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  return 'stopped';
}

async function startRouter(fields: ProjectsFields, options: RouterOptions) {
  const { folder: root } = fields;
  const keep = [...new Set(fields.keep)];
  const most = numberIn(fields, 'most', 1, 10_000) ?? DEFAULTS.most;
  if (keep.length > most)
    throw new UsageError(`--keep names ${keep.length} projects, and only ${most} run at once: give --most.`);
  if (keep.length === most && projectNames(root).some((name) => !keep.includes(name)))
    throw new UsageError(`--keep leaves no place for the other projects, because ${most} run at once: give --most.`);
  const host = hostOf(options.host);
  const proxies = proxiesOf({ trustProxy: options.trustProxy?.text ?? null, dev: false });
  const logging = logFrom(options);
  const write = writerToStderr();
  const log = createLog(logging, write);
  const program = programOf(logging);
  const draining = new ConnectionDrain();
  const metrics: RouterMetrics = new RouterMetrics(() => fleet.states);
  const idleMs = 1000 * (numberIn(fields, 'idle_seconds', 1, 604_800) ?? DEFAULTS.idleSeconds);
  const wakeMinutes = numberIn(fields, 'wake_minutes', 0, 44_640) ?? DEFAULTS.wakeMinutes;
  const fleet = new Fleet({
    names: () => projectNames(root),
    read: (name) => {
      const folder = readFolder(root, name, jsonOf);
      optionsOfProject(folder, program.variables);
      return folder;
    },
    keep,
    most,
    patience: {
      idleMs,
      waitMs: 1000 * (numberIn(fields, 'wait_seconds', 1, 600) ?? DEFAULTS.waitSeconds),
      stayMs: Math.min(idleMs, STAY_MS),
      startMs: START_MS,
      restMs: REST_MS,
    },
    wakeMs: wakeMinutes === 0 ? null : wakeMinutes * 60_000,
    program: { ...program, log, writeLine: (project, line) => write(labelled(project, line, logging)) },
    log,
    counts: metrics,
  });
  const router = makeRouter({ proxies, log, find: (names) => fleet.find(names) });
  const health = {
    get closing() {
      return draining.closing;
    },
    failing: (): Promise<readonly Check[]> => Promise.resolve(draining.active ? ['stopping'] : []),
  };
  const keepAliveMs = 1000 * (numberOf(options.keepAlive, 1, 3_600) ?? KEEP_ALIVE_SECONDS);
  const listening = await listen(
    withHealth(health, (request, response) => {
      draining.arrived();
      router.listener(request, response);
    }),
    host,
    numberOf(options.port, 0, 65_535) ?? DEFAULT_PORT,
    { draining, connections: new Connections(LIMITS, { proxies, keepAliveMs }) },
  );
  const address = metricsFrom(options);
  const measuring = address === null ? null : await serveMetrics(address, metrics, health);
  fleet.start();
  const steps = stopping({
    draining,
    drainMs: 1000 * (numberOf(options.drainSeconds, 0, 600) ?? DRAIN_SECONDS),
    listening,
    endStreams: () => router.endStreams(),
    background: [],
    close: async () => measuring?.close(),
  });
  return {
    url: urlOf(host, listening.port),
    metricsUrl: measuring?.url ?? null,
    names: fleet.states.map(({ project }) => project),
    reload(): void {
      try {
        fleet.reload();
      } catch (error) {
        log.error('the projects were not read again', {
          reason: error instanceof UsageError ? error.message : 'unknown',
        });
      }
    },
    async stop(): Promise<void> {
      await steps.stop();
      await fleet.close();
      // The last lines of the servers arrive after their ends.
      await sleep(0);
    },
  };
}

function numberIn(fields: ProjectsFields, name: keyof ProjectsFields, min: number, max: number) {
  const text = fields[name];
  if (typeof text !== 'string') return null;
  return numberOf({ text, from: `--${name.replaceAll('_', '-')}`, isFlag: true }, min, max);
}

/** The options that the router sets for every project's server. */
const serverFlags = (format: CliOptions['log']['format']): readonly string[] => [
  '--port=0',
  '--host=localhost',
  '--trust-proxy=1',
  '--drain-seconds=0',
  `--log-format=${format}`,
];

/**
 * The options of a project's server. Throws a UsageError for variables that would prevent its start, so that a reload does not end the
 * running server.
 */
export function optionsOfProject(
  { name, folder, variables }: Pick<ProjectFolder, 'name' | 'folder' | 'variables'>,
  shared: ServerProgram['variables'],
): CliOptions {
  // The server runs in the folder of the project, and reads such a file from there.
  const own = Object.entries(variables).map(([key, value]) => [key, key.endsWith('_FILE') ? resolve(folder, value) : value]); // prettier-ignore
  try {
    return optionsFrom(serverFlags('json'), { ...shared, ...Object.fromEntries(own) });
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`variables of ${name}: ${error.message}`) : error;
  }
}

/** This program again. The router's own options are flags, so that a project's variables cannot change them. */
export function programOf(
  { level, format }: CliOptions['log'],
  env: Environment = process.env,
): Pick<ServerProgram, 'words' | 'variables'> {
  const variables = SHARED.map((name) => (OPTIONS[name] as OptionSpec).variable ?? '');
  const shared = new Set([...variables, ...variables.map((name) => `${name}_FILE`)]);
  const inherited = Object.entries(env)
    .filter(([name]) => !name.startsWith('PORTICO_') || shared.has(name))
    // The server runs in the folder of its project.
    .map(([name, value]) => [name, shared.has(name) && name.endsWith('_FILE') ? resolve(value ?? '') : value] as const);
  return {
    words: [...process.execArgv, process.argv[1] ?? '', ...serverFlags(format)],
    variables: { ...Object.fromEntries(inherited), PORTICO_LOG_LEVEL: level, PORTICO_METRICS_PORT: '0' },
  };
}

/** A line of the log of a project's server, with the name of the project. */
function labelled(project: string, line: string, { format }: { readonly format: 'json' | 'text' }): string {
  if (format === 'text') return `${project}: ${line}\n`;
  const name = `"project":${JSON.stringify(project)}`;
  if (line.startsWith('{"')) return `{${name},${line.slice(1)}\n`;
  // A sentence that a server prints before its log is set up.
  return `{"level":"error",${name},"time":"${new Date().toISOString()}","message":${JSON.stringify(line)}}\n`;
}
