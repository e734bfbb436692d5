import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as eventsHandled, setTimeout as sleep } from 'node:timers/promises';
import { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import { portOwner } from '#provider/base/port-owner.ts';
import type { Warn } from '#provider/base/warnings.ts';
import { Connections } from './connections.ts';
import { bothNames, type OptionName } from '../options/option-table.ts';
import { UsageError } from '../options/options.ts';
import { PARSER_LIMIT, ParserErrors } from './parser-errors.ts';

export interface ListeningServer {
  readonly port: number;
  /** Stops accepting connections, closes idle ones, and waits for the requests in progress, up to a time limit. */
  close(): Promise<void>;
}

/** The longest time that a slow or idle peer may occupy a socket. */
export interface ConnectionTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
  /** How often slow peers are searched for. */
  readonly checkMs: number;
}

const PATIENCE: ConnectionTimeouts = { headersMs: 10_000, requestMs: 20_000, idleMs: 5_000, checkMs: 2_000 };
/** How long requests in progress may take once the server has stopped listening: longer than the database may take. */
const CLOSE_GRACE_MS = 12_000;
/** How long a new connection may stay without a request, because browsers open connections in advance. */
const FIRST_BYTE_MS = 500;

const LOOPBACKS = ['127.0.0.1', '::1'];

/** Listens on one address, or on both loopback addresses with the same port; on a machine without IPv6 only on IPv4. */
export async function listen(
  listener: RequestListener,
  host: string | null,
  port: number,
  {
    patience = PATIENCE,
    connections = new Connections(),
    draining = new ConnectionDrain(),
    options = { host: 'host', port: 'port' },
    warn = () => undefined,
  }: Partial<ListenerOptions> = {},
): Promise<ListeningServer> {
  const open = (host: string, port: number): Promise<Server> =>
    opened(listener, host, port, { patience, connections, draining, options, warn });
  if (host !== null) return listening([await open(host, port)], connections);
  const [first = '', second = ''] = LOOPBACKS;
  for (let attempt = 0; ; attempt += 1) {
    const server = await open(first, port);
    try {
      return listening([server, await open(second, portOf(server))], connections);
    } catch (error) {
      if (!(error instanceof UsageError)) return listening([server], connections);
      await stop(server, connections);
      // With port 0, try another port that is free on both addresses.
      if (port !== 0 || attempt > 5) throw error;
    }
  }
}

export interface ListenerOptions {
  readonly patience: ConnectionTimeouts;
  readonly connections: Connections;
  readonly draining: ConnectionDrain;
  /** The options that chose the address, for a message if it is not available. */
  readonly options: { readonly host: OptionName; readonly port: OptionName };
  /** Tells the operator about requests that the app never sees. */
  readonly warn: Warn;
}

async function opened(
  listener: RequestListener,
  host: string,
  port: number,
  { patience, connections, draining, options, warn }: ListenerOptions,
): Promise<Server> {
  const errors = new ParserErrors(warn);
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.idleMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: PARSER_LIMIT,
      // Health checks may have no host. The app refuses other requests without one.
      requireHostHeader: false,
    },
    (request, response) => {
      connections.follow(request, response);
      draining.follow(response);
      errors.follow(response);
      if (namesOneHost(request)) listener(request, response);
      else response.writeHead(400, { Connection: 'close' }).end();
    },
  );
  // Beyond 2,000 fields, Node would silently drop some, even those that a proxy adds. Their size is limited instead.
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => connections.admit(socket));
  server.on('clientError', (error, socket) => errors.answer(error, socket as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port, options)));
    server.listen({ host, port }, resolve);
  });
  return server;
}

function explained(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  options: ListenerOptions['options'],
): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(
      `Port ${port} is already in use${portOwner(port)}; choose another with ${bothNames(options.port)}.`,
    );
  if (error.code === 'EACCES')
    return new UsageError(
      `Port ${port} may not be used by this user; choose one from 1024 on with ${bothNames(options.port)}.`,
    );
  if (host === LOOPBACKS[1]) return error;
  return new UsageError(`Cannot listen on ${host}: ${error.code ?? error.message}; see ${bothNames(options.host)}.`);
}

/** False for a request with two `Host` headers: Node uses the first, but a proxy may have used the other (RFC 9112, section 3.2). */
function namesOneHost({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length < 2;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listening(servers: readonly Server[], connections: Connections): ListeningServer {
  const [first] = servers;
  return {
    port: first === undefined ? 0 : portOf(first),
    close: async () => {
      await Promise.all(servers.map((server) => stop(server, connections)));
    },
  };
}

/**
 * Lets requests be answered whose first byte has arrived. Data that the system received before this call is read first, because closing a
 * connection with unread data loses the request without a trace.
 */
async function stop(server: Server, connections: Connections): Promise<void> {
  await eventsHandled();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const over = new AbortController();
  const after = (milliseconds: number, act: () => void): void =>
    void sleep(milliseconds, undefined, { signal: over.signal }).then(act, () => undefined);
  after(FIRST_BYTE_MS, () => connections.closeSilent());
  after(CLOSE_GRACE_MS, () => server.closeAllConnections());
  await closed;
  over.abort();
}
