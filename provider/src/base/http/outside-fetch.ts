import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../peer.ts';
import { outsideLine } from '../security/work-line.ts';
import { knownAddresses, requestByProxy, TunnelAgent, type OutgoingProxy } from './outgoing-proxy.ts';

export interface OutsideOptions {
  /** The limit for the whole exchange, from looking up the name to the last byte of the reply. */
  readonly timeoutMs?: number;
  /** The maximum size of a reply's body. */
  readonly maxBytes?: number;
  /** True to ignore the rest of a longer body instead of failing, for calls whose result is the status. */
  readonly cut?: boolean;
  /**
   * True for a URL that the operator chose: it may be http, and on this machine or in a private network. Never true for a URL that came
   * from a user or another service.
   */
  readonly allowPrivate?: boolean;
}

export type OutsideFailure = 'timed_out' | 'unreachable' | 'too_large' | 'forbidden_address';

/** Names only the host, because a path or query may contain a secret. */
export class OutsideError extends Error {
  constructor(
    readonly failure: OutsideFailure,
    host: string,
    options?: ErrorOptions,
  ) {
    super(`the call to ${host} failed: ${failure.replace('_', ' ')}`, options);
  }
}

export type OutsideFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** The statuses whose responses have no body (Fetch standard, section 2.2.3). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** True for a public internet address; false for loopback, private, link-local, reserved and malformed ones. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  if (!ipaddr.isValid(plain)) return false;
  // An IPv6 address may embed an IPv4 address, to which a gateway then connects.
  const embedded = networkOf(plain);
  return ipaddr.parse(ipaddr.IPv4.isIPv4(embedded) ? embedded : plain).range() === 'unicast';
}

/** Whether this URL may be called: an operator's with `allowPrivate`, otherwise only https, and no private address written as the host. */
export function mayCall({ protocol, hostname }: URL, allowPrivate: boolean): boolean {
  const literal = hostname.replace(/^\[|\]$/gu, '');
  return allowPrivate
    ? protocol === 'https:' || protocol === 'http:'
    : protocol === 'https:' && (!ipaddr.isValid(literal) || isPublicAddress(literal));
}

/**
 * Looks up a name and refuses it if any of its addresses is not public. The connection uses the addresses found here, so a name cannot
 * change between the check and the connection.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? new Error('no address'), '');
    else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new OutsideError('forbidden_address', hostname), '');
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

// Connections to private addresses are never shared with callers that must not make them.
const POOL = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 } as const;
const POOLS = {
  public: new HttpsAgent(POOL),
  any: { 'http:': new HttpAgent(POOL), 'https:': new HttpsAgent(POOL) },
} as const;

/** The proxy that is the only way out of this process's network; null if there is a direct way. */
let way: { readonly proxy: OutgoingProxy; readonly tunnels: TunnelAgent; readonly fresh: TunnelAgent } | null = null;

/** Sends all calls of this process to other services through a proxy; null stops that. */
export function setOutgoingProxy(proxy: OutgoingProxy | null): void {
  way?.tunnels.destroy();
  way = proxy && { proxy, tunnels: new TunnelAgent(proxy, POOL), fresh: new TunnelAgent(proxy, {}) };
}

/**
 * Whether a call goes through the proxy. An address in the private network is called directly if the operator chose it. Otherwise it is
 * refused, as far as this machine can resolve the name. The proxy, which resolves names itself, must refuse the others.
 */
async function goesByProxy({ hostname }: URL, allowPrivate: boolean): Promise<boolean> {
  if (way === null) return false;
  const addresses = await knownAddresses(hostname.replace(/^\[|\]$/gu, ''));
  if (addresses.every(isPublicAddress)) return true;
  if (allowPrivate) return false;
  throw new OutsideError('forbidden_address', hostname);
}

/**
 * A `fetch` for calls to other services. It has a time limit and a size limit, returns redirects instead of following them, and connects
 * only to public https addresses, unless `allowPrivate`. Rejects with an OutsideError, or with the reason of `init.signal`. The caller gives
 * its place among those that compute passwords to others meanwhile.
 */
export function outsideFetch(options: OutsideOptions = {}): OutsideFetch {
  return (input, init) => outsideLine(() => exchanged(new Request(input, init), options));
}

async function exchanged(
  request: Request,
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, cut = false, allowPrivate = false }: OutsideOptions,
): Promise<Response> {
  const url = new URL(request.url);
  if (!mayCall(url, allowPrivate)) throw new OutsideError('forbidden_address', url.hostname);
  const body = Buffer.from(await request.arrayBuffer());
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([limit, request.signal]);
  const byProxy = await goesByProxy(url, allowPrivate);
  // Only a GET can be repeated safely. Any other request must not reuse a connection that may be closing.
  const send = async (pooled: boolean): Promise<IncomingMessage> => {
    const outgoing = opened(url, request, { allowPrivate, byProxy, pooled, signal });
    return sendRequest(outgoing, body).catch((error: unknown) => {
      if (!outgoing.reusedSocket || signal.aborted) throw error;
      return send(false);
    });
  };
  try {
    const incoming = await send(request.method === 'GET');
    return await responseOf(incoming, request.method, { maxBytes, cut, host: url.hostname });
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    request.signal.throwIfAborted();
    throw new OutsideError(limit.aborted ? 'timed_out' : 'unreachable', url.hostname, { cause: error });
  }
}

interface ConnectionOptions {
  readonly allowPrivate: boolean;
  readonly byProxy: boolean;
  readonly pooled: boolean;
  readonly signal: AbortSignal;
}

function opened(
  url: URL,
  { method, headers }: Request,
  { allowPrivate, byProxy, pooled, signal }: ConnectionOptions,
): ClientRequest {
  const options = { method, headers: Object.fromEntries(headers), signal };
  if (byProxy && way !== null) {
    if (url.protocol === 'http:') return requestByProxy(way.proxy, url, options);
    return httpsRequest(url, { ...options, agent: pooled ? way.tunnels : way.fresh });
  }
  if (url.protocol === 'http:') return httpRequest(url, { ...options, agent: pooled && POOLS.any['http:'] });
  if (allowPrivate) return httpsRequest(url, { ...options, agent: pooled && POOLS.any['https:'] });
  return httpsRequest(url, { ...options, agent: pooled && POOLS.public, lookup: publicLookup });
}

function sendRequest(outgoing: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // After 101 there is neither a response nor an error. Without a listener Node only closes the connection.
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the service switched protocols'));
    });
    // This listener stays, because a request may fail even after its reply has begun.
    outgoing.on('error', reject);
    if (body.length > 0) outgoing.setHeader('Content-Length', body.length);
    outgoing.end(body);
  });
}

async function responseOf(
  incoming: IncomingMessage,
  method: string,
  { maxBytes, cut, host }: { readonly maxBytes: number; readonly cut: boolean; readonly host: string },
): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes && !cut) throw new OutsideError('too_large', host);
    chunks.push(chunk);
    if (size > maxBytes) break;
  }
  const { statusCode: status = 0, headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const empty = BODILESS.has(status) || method === 'HEAD';
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
}
