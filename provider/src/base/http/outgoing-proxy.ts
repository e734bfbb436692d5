import { lookup } from 'node:dns/promises';
import { request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { UsageError } from '../usage-error.ts';

/** The proxy of a network that allows no other way out. */
export interface OutgoingProxy {
  /** Without name and password. */
  readonly url: URL;
  /** The header `Proxy-Authorization`; absent without name and password. */
  readonly headers: Readonly<Record<string, string>>;
}

const CONNECT_MS = 10_000;
/** Short, because a network with such a proxy may have a name server that does not answer for names of the internet. */
const LOOKUP_MS = 1_000;

/** Reads the option. @param from the name of the option, for the error */
export function outgoingProxyFrom(text: string, from: string): OutgoingProxy {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/u.test(url.protocol) && url.pathname === '/' && !/[?#]/u.test(text);
  // The option is not quoted, because it may contain a password.
  if (!isPlain) throw new UsageError(`${from} must be the address of a proxy: http://proxy.example:3128.`);
  const { username, password } = url;
  const decoded = [username, password].map((part) => decodedPart(part, from));
  const credentials = Buffer.from(decoded.join(':')).toString('base64');
  [url.username, url.password] = ['', ''];
  return { url, headers: username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` } };
}

function decodedPart(text: string, from: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`${from} has a name or a password with a % that begins no escape: write %25.`);
  }
}

/** The addresses of a host, as resolved on this machine; empty if it cannot resolve the host. */
export async function knownAddresses(hostname: string): Promise<readonly string[]> {
  const found = lookup(hostname, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );
  return Promise.race([found, sleep(LOOKUP_MS, [], { ref: false })]);
}

/** Sends a request in plain text through the proxy (RFC 9112, section 3.2.2). */
export function requestByProxy(proxy: OutgoingProxy, url: URL, options: RequestOptions): ClientRequest {
  const headers = { ...(options.headers as Record<string, string>), host: url.host, ...proxy.headers };
  const path = `${url.origin}${url.pathname}${url.search}`;
  const send = proxy.url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send({ ...options, ...endOf(proxy.url), path, headers, agent: false });
}

/** Connections to servers by TLS, through tunnels of the proxy, which sees only the name of the server. */
export class TunnelAgent extends HttpsAgent {
  constructor(
    private readonly proxy: OutgoingProxy,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null {
    const { path: _path, ...secure } = options;
    const name = options.host ?? '';
    tunnel(this.proxy, `${name.includes(':') ? `[${name}]` : name}:${options.port ?? 443}`, (error, socket) => {
      if (socket === null) callback?.(error, undefined as never);
      else callback?.(null, tlsConnect({ ...(secure as object), socket }));
    });
    return null;
  }
}

/** Requests a connection to a host and port from the proxy (RFC 9110, section 9.3.6). Calls `done` once. */
function tunnel(proxy: OutgoingProxy, to: string, done: (error: Error | null, socket: Duplex | null) => void): void {
  const send = proxy.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { host: to, ...proxy.headers };
  const request = send({
    ...endOf(proxy.url),
    method: 'CONNECT',
    path: to,
    headers,
    agent: false,
    timeout: CONNECT_MS,
  });
  let isDone = false;
  const finish = (error: Error | null, socket: Duplex | null): void => {
    if (!isDone) done(error, socket);
    isDone = true;
  };
  const refuse = (status: number | undefined): void => finish(new Error(`the proxy answered ${status}`), null);
  request.once('connect', ({ statusCode }, socket, head) => {
    if (statusCode !== 200 || head.length > 0) {
      socket.destroy();
      refuse(statusCode);
      return;
    }
    socket.setTimeout(0);
    finish(null, socket);
  });
  request.once('response', (reply) => {
    reply.destroy();
    refuse(reply.statusCode);
  });
  request.once('timeout', () => request.destroy(new Error('the proxy did not answer')));
  request.on('error', (error) => finish(error, null));
  request.end();
}

function endOf({ protocol, hostname, port }: URL): { readonly host: string; readonly port: number } {
  return { host: hostname.replace(/^\[|\]$/gu, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
