import { isLoopbackHost } from '#domain/safe-url.ts';
import { readHosts } from '#provider/base/db/engine/hosts.ts';
import { outgoingProxyFrom, type OutgoingProxy } from '#provider/base/http/outgoing-proxy.ts';
import type { Store } from '#provider/base/db/open.ts';
import { isOfDelivery, type DeliveryOptions } from './delivery.ts';
import { givenFrom, type Environment, type OptionValues, type OptionValue } from './option-values.ts';
import { refuseMistakenDatabase } from './mistaken-database.ts';
import { OPTIONS, type OptionName } from './option-table.ts';
import { operatorsFrom, type OperatorsOptions } from './operators-options.ts';
import { addServerOptions, flagValues, parserFor } from './parser.ts';
import { UsageError } from '#provider/base/usage-error.ts';

export { UsageError } from '#provider/base/usage-error.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface CliOptions {
  readonly port: number;
  /** Null to listen on both loopback addresses, for this machine only. */
  readonly host: string | null;
  readonly store: Store;
  /** The source of the key for the operator's database; null for a store with its own key. */
  readonly masterKey: KeySource | null;
  /** The number of connections to PostgreSQL; null for the default. */
  readonly poolSize: number | null;
  /** False to refuse an outdated schema instead of changing it. */
  readonly migrating: boolean;
  readonly fresh: boolean;
  readonly projectFile: string | null;
  /** The consent page for connected apps, instead of the one in the project file. */
  readonly authorizationUrl: string | null;
  /** Development mode: enables the inbox, and social accounts without passwords. */
  readonly dev: boolean;
  /** The demo that the pages of the inbox link to; null if there is none. */
  readonly demoUrl: string | null;
  /** Whether development mode is on by default, because no option names data to serve. */
  readonly bare: boolean;
  /** The options that override the section `delivery` of the project file. */
  readonly delivery: DeliveryOptions;
  /** How long the server still serves after SIGTERM. */
  readonly drainSeconds: number;
  readonly trustProxy: string | null;
  /** The longest idle time of a trusted proxy's connection. */
  readonly keepAliveSeconds: number;
  /** The proxy for calls to other services; absent if they are called directly. */
  readonly outgoingProxy?: OutgoingProxy;
  /** A range API, a file or a folder with passwords known from breaches; null for the embedded list. */
  readonly breachedPasswords: string | null;
  readonly log: { readonly level: LogLevel; readonly format: 'json' | 'text' };
  /** The address of `/metrics`; null if it is not served. */
  readonly metrics: { readonly host: string | null; readonly port: number } | null;
  /** The operators' page; null if it is not served. */
  readonly operators: OperatorsOptions | null;
  /** Whether OpenTelemetry sends traces. */
  readonly traces: boolean;
}

export const DEFAULT_PORT = 4100;
/** Longer than the minute for which nginx and most load balancers keep a connection. */
export const KEEP_ALIVE_SECONDS = 65;
export const DEFAULT_FOLDER = '.data/provider';
/** Load balancers commonly check every two seconds, and react after two failures. */
export const DRAIN_SECONDS = 5;

/** The source of the key for the operator's database. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'variable'; readonly text: string };

export const ALL_OPTIONS = Object.keys(OPTIONS) as OptionName[];

/** Reads the command line and the environment as options. Throws a UsageError for anything it does not understand. */
export function optionsFrom(args: readonly string[], env: Environment = process.env): CliOptions {
  const { root, parse } = parserFor();
  addServerOptions(root, ALL_OPTIONS);
  parse(args);
  return optionsOf(givenFrom(ALL_OPTIONS, flagValues(root, args), env), env);
}

/** Reads the given values as options. Throws a UsageError for the first wrong one. */
export function optionsOf(values: OptionValues, env: Environment): CliOptions {
  const store = storeFrom(values);
  const bare = isBare(values, env);
  const dev = bare || (switchOf(values.dev) ?? false);
  const host = hostOf(values.host);
  if (dev && host !== null && !isLoopbackHost(bracketed(host))) {
    throw new UsageError(
      `--dev serves this machine only: omit ${values.host?.from ?? '--host'}, or use localhost, 127.0.0.1 or ::1.`,
    );
  }
  const fresh = values.fresh !== undefined;
  if (fresh && store.kind === 'postgres')
    throw new UsageError('--fresh empties a data folder. It does not empty a PostgreSQL database.');
  const options: CliOptions = {
    port: numberOf(values.port, 0, 65_535) ?? DEFAULT_PORT,
    host,
    store,
    masterKey: masterKeyFrom(store, values),
    poolSize: numberOf(values.poolSize, 2, 1_000),
    migrating: isMigrating(values),
    fresh,
    projectFile: values.project?.text ?? null,
    authorizationUrl: values.authorizationUrl?.text ?? null,
    dev,
    demoUrl: demoUrlOf(values, dev),
    bare,
    delivery: Object.fromEntries(Object.entries(values).filter(([name]) => isOfDelivery(name))),
    drainSeconds: numberOf(values.drainSeconds, 0, 600) ?? (dev ? 0 : DRAIN_SECONDS),
    trustProxy: values.trustProxy?.text ?? null,
    keepAliveSeconds: numberOf(values.keepAlive, 1, 3_600) ?? KEEP_ALIVE_SECONDS,
    ...(values.outgoingProxy && {
      outgoingProxy: outgoingProxyFrom(values.outgoingProxy.text, values.outgoingProxy.from),
    }),
    breachedPasswords: values.breachedPasswords?.text ?? null,
    log: logFrom(values, dev),
    metrics: metricsFrom(values),
    operators: operatorsFrom(values),
    traces: switchOf(values.otel) ?? collectorIsNamed(env),
  };
  refuseMistakenDatabase(values, env, dev);
  return options;
}

export function logFrom(
  { logLevel, logFormat, verbose }: OptionValues<'logLevel' | 'logFormat' | 'verbose'>,
  dev = false,
): CliOptions['log'] {
  return {
    level: oneOf(logLevel, LOG_LEVELS) ?? (dev && verbose === undefined ? 'warn' : 'info'),
    format: oneOf(logFormat, ['json', 'text']) ?? (dev || process.stderr.isTTY ? 'text' : 'json'),
  };
}

export function metricsFrom({
  metricsPort,
  metricsHost,
}: OptionValues<'metricsPort' | 'metricsHost'>): CliOptions['metrics'] {
  const port = numberOf(metricsPort, 0, 65_535);
  return port === null ? null : { host: hostOf(metricsHost), port };
}

/** The options that do not show whether this is a developer's machine. */
const OF_ANY_START: ReadonlySet<OptionName> = new Set<OptionName>([
  'port',
  'data',
  'fresh',
  'logLevel',
  'logFormat',
  'verbose',
  'metricsPort',
  'drainSeconds',
]);

/**
 * Whether the operator gave no option at all, as for a first try. Any other option, including `--dev` itself, and NODE_ENV=production show
 * a purpose. Then development mode must be requested explicitly, because it must never be public.
 */
function isBare(values: OptionValues, env: Environment): boolean {
  return env['NODE_ENV'] !== 'production' && Object.keys(values).every((name) => OF_ANY_START.has(name as OptionName));
}

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The URL of a server on this host; null means this machine. */
export function urlOf(host: string | null, port: number): string {
  return `http://${host === null ? 'localhost' : bracketed(host)}:${port}`;
}

/** The address to listen on; null means this machine. */
export function hostOf(option: OptionValue | undefined): string | null {
  if (option === undefined || option.text === 'localhost') return null;
  if (option.text === '') throw new UsageError(`${option.from} must be a name or address to listen on.`);
  return option.text;
}

/** The demo's URL, which a page of `--dev` links to. Only http and https lead to a page. */
function demoUrlOf({ demoUrl: option }: OptionValues<'demoUrl'>, dev: boolean): string | null {
  if (option === undefined) return null;
  if (!dev) throw new UsageError(`${option.from} is for development: give --dev too.`);
  const url = URL.canParse(option.text) ? new URL(option.text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new UsageError(`${option.from} must be the address of a page: http://… or https://….`);
  }
  return url.href;
}

/** A whole number within the bounds; null if it is not given. */
export function numberOf(option: OptionValue | undefined, min: number, max: number): number | null {
  if (option === undefined) return null;
  const { text, from } = option;
  if (/^\d{1,9}$/u.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  // Kubernetes sets PORTICO_PORT=tcp://… in every container of a namespace that has a service named "portico".
  const why = text.startsWith('tcp://')
    ? ': Kubernetes set it for a service named portico; set enableServiceLinks: false in the pod, or name the service otherwise'
    : '';
  throw new UsageError(`${from} must be a number from ${min} to ${max}, not ${text.slice(0, 100)}${why}.`);
}

const ON = new Set(['1', 'true', 'yes', 'on']);
const OFF = new Set(['0', 'false', 'no', 'off']);

/** A switch; null if it is not given. */
function switchOf(option: OptionValue | undefined): boolean | null {
  if (option === undefined) return null;
  const text = option.text.toLowerCase();
  if (ON.has(text)) return true;
  if (OFF.has(text)) return false;
  throw new UsageError(`${option.from} must be 1 or 0.`);
}

function oneOf<const T extends string>(option: OptionValue | undefined, allowed: readonly T[]): T | null {
  if (option === undefined) return null;
  const found = allowed.find((each) => each === option.text);
  if (found === undefined) throw new UsageError(`${option.from} must be one of ${allowed.join(', ')}.`);
  return found;
}

/** The variables that configure a collector, according to OpenTelemetry's documentation. */
function collectorIsNamed(env: Environment): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return isSet('OTEL_EXPORTER_OTLP_ENDPOINT') || isSet('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
}

/** False to refuse an outdated schema instead of changing it. */
export function isMigrating({ noMigrate }: OptionValues<'noMigrate'>): boolean {
  return !(switchOf(noMigrate) ?? false);
}

/** The store that `--data` or `--database-url` names. */
export function storeFrom({ data, databaseUrl }: OptionValues<'data' | 'databaseUrl'>): Store {
  if (data !== undefined && databaseUrl !== undefined && data.isFlag === databaseUrl.isFlag) {
    throw new UsageError(`Give ${data.from} or ${databaseUrl.from}, not both.`);
  }
  if (databaseUrl !== undefined && data?.isFlag !== true) {
    const { text: url, from } = databaseUrl;
    if (!/^postgres(?:ql)?:\/\//u.test(url)) throw new UsageError(`${from} must start with postgres://.`);
    readHosts(url, from);
    return { kind: 'postgres', url };
  }
  const path = data?.text ?? DEFAULT_FOLDER;
  if (path === '') throw new UsageError('--data must name a folder, or be memory.');
  return path === 'memory' ? { kind: 'memory' } : { kind: 'folder', path };
}

/** The source of the store's key; null for a store with its own key, and if no source is given. */
export function masterKeyFrom(store: Store, { key, keyFile }: OptionValues<'key' | 'keyFile'>): KeySource | null {
  if (keyFile?.text === '') throw new UsageError(`${keyFile.from} must name a file.`);
  if (store.kind !== 'postgres') {
    if (keyFile?.isFlag !== true) return null;
    throw new UsageError('--key-file needs --database-url; a data folder has its key in keys.json.');
  }
  if (keyFile?.isFlag !== true && keyFile !== undefined && key !== undefined) {
    throw new UsageError('Set PORTICO_KEY or PORTICO_KEY_FILE, not both.');
  }
  if (keyFile !== undefined) return { kind: 'file', path: keyFile.text };
  return key === undefined ? null : { kind: 'variable', text: key.text };
}
