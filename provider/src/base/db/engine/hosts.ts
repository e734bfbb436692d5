import pg from 'pg';
import { UsageError } from '../../usage-error.ts';
import { DatabaseUnavailable, isDatabaseUnavailable, sqlState } from '../database-errors.ts';

/** The URL parameter that selects which servers to use (PostgreSQL, "Database Connection Control Functions"). */
const ATTRIBUTE = 'target_session_attrs';
/** Its values, and whether a server that refuses writes is skipped. */
const WRITES: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true };
/** The driver treats the first four alike. */
const TLS_MODES: ReadonlySet<string> = new Set([
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
  'disable',
]);
/** The three parts of a URL: the scheme, then user, password and hosts, then the rest. */
const PARTS = /^([a-z]+:\/\/)([^/?#]*)(.*)/isu;

/** The servers of a database URL, such as `postgres://one:5432,two:5432/portico?target_session_attrs=read-write`. */
export interface DatabaseHosts {
  /** A URL for each server, which the driver understands, in the order of the attempts. */
  readonly urls: readonly string[];
  /** Whether to use only a server that accepts writes. */
  readonly writes: boolean;
}

/** A `%` that begins no escape, or a fragment: a database URL has neither. */
const NOT_ESCAPED = /%(?![\da-f]{2})|#/iu;

/** @throws {UsageError} if the URL or one of several hosts is wrong, or it requires a kind of server that no process could use */
export function readHosts(url: string, from = 'The database URL'): DatabaseHosts {
  const [, scheme = '', authority = '', after = ''] = PARTS.exec(url) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const before = `${scheme}${authority.slice(0, at)}`;
  const hosts = authority.slice(at);
  const parameters = new URLSearchParams(after.replace(/^[^?]*/u, ''));
  // The driver would look for one host with that whole name.
  if (['host', 'port'].some((name) => parameters.get(name)?.includes(',') === true)) {
    const right = 'list them before the name of the database, as in postgres://one:5432,two:5432/portico';
    throw new UsageError(`${from} has several hosts or ports in its parameters: ${right}.`);
  }
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  if (urls.length === 1 && isCut(url, hosts, after)) {
    throw new UsageError(
      `${from} is not a URL: write # as %23, / as %2F, ? as %3F and % as %25 in the user and the password.`,
    );
  }
  // The driver has special forms for a single host, such as an empty one.
  if (urls.length > 1 && !urls.every((one) => isNetworkUrl(one))) {
    throw new UsageError(`${from} has an empty or wrong host between its commas.`);
  }
  const attribute = parameters.get(ATTRIBUTE) ?? 'any';
  if (!Object.hasOwn(WRITES, attribute)) {
    throw new UsageError(`${ATTRIBUTE} of ${from} must be any, primary or read-write.`);
  }
  const mode = parameters.get('sslmode');
  if (mode !== null && !TLS_MODES.has(mode)) {
    const choice = 'verify-full (encrypts and checks the server), no-verify (encrypts alone) or disable';
    throw new UsageError(`sslmode of ${from} must be ${choice}.`);
  }
  return { urls, writes: WRITES[attribute] ?? false };
}

/** Whether a character of the user or password ends the authority too early, so that the rest becomes a path, a parameter or nothing. */
function isCut(url: string, host: string, after: string): boolean {
  const [path = '', query = ''] = after.split('?', 2);
  const isAt = (text: string): boolean => text.includes('@');
  if (NOT_ESCAPED.test(url) || isAt(path)) return true;
  return [...new URLSearchParams(query).keys()].some(isAt) || (host !== '' && !URL.canParse(url));
}

const isNetworkUrl = (url: string): boolean => URL.canParse(url) && new URL(url).hostname !== '';

/** The server answers but refuses writes: it is a standby, or was one a moment ago. */
class RefusesWrites extends Error {
  /** A SQLSTATE: read-only transaction. */
  readonly code = '25006';
}

/** Rejects if the server of a new connection refuses writes. */
export async function checkWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off')
    throw new RefusesWrites('The server refuses writes, as a standby does.');
}

/** Selects the server to use: the last that worked, until it fails. */
export class HostChoice {
  private place = 0;

  constructor(readonly hosts: DatabaseHosts) {}

  /** The URL of the server that new connections go to. */
  get url(): string {
    return this.hosts.urls[this.place] ?? '';
  }

  get length(): number {
    return this.hosts.urls.length;
  }

  /** Switches to the next server, unless another connection has already left the one that failed. */
  passOver(failed: string): void {
    if (failed === this.url) this.place = (this.place + 1) % this.length;
  }
}

const CONNECT_MS = 3_000;

/** If a name has several addresses, the error has a code and no message. */
const reasonOf = (error: unknown): string => (error instanceof Error && error.message) || sqlState(error);

/**
 * The URL of the first server that can be used now. A single server is returned without a check.
 *
 * @throws what is wrong with each server, if none can be used
 */
export async function usableUrl(url: string): Promise<string> {
  const choice = new HostChoice(readHosts(url));
  if (choice.length === 1 && !choice.hosts.writes) return choice.url;
  const reasons: string[] = [];
  for (;;) {
    const connectionString = choice.url;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (choice.hosts.writes) await checkWrites(client);
      return connectionString;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || choice.length === 1) throw error;
      reasons.push(`${new URL(connectionString).host}: ${reasonOf(error)}`);
      if (reasons.length === choice.length) throw new DatabaseUnavailable(reasons.join('; '), { cause: error });
      choice.passOver(connectionString);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
