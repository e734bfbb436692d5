import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '#domain/rules/refusal.ts';
import { MINUTE_MS } from '../platform.ts';
import { atMostEvery, type Warn } from '../warnings.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { isPublicAddress } from './outside-fetch.ts';
import { refuse } from './replies.ts';

/** The proxies in front of this server whose forwarding headers it trusts. */
export interface TrustedProxies {
  /** @param hop 0 for the connected peer, 1 for the one that connected to it, and so on */
  trusts(address: string, hop: number): boolean;
}

export const NO_PROXIES: TrustedProxies = { trusts: () => false };

const MOST_HOPS = 20;

/**
 * Reads `--trust-proxy`: networks and names of networks (`loopback`, `linklocal`, `uniquelocal`), separated by commas, or the number of
 * proxies in front of this server. Throws an Error that describes the mistake.
 */
export function trustedProxies(list: string): TrustedProxies {
  if (/^\s*\d+\s*$/u.test(list)) {
    const hops = Number(list);
    if (hops > MOST_HOPS) throw new Error(`the number of proxies must be from 0 to ${MOST_HOPS}`);
    return { trusts: (_, hop) => hop < hops };
  }
  const networks = list
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '');
  if (networks.length === 0) return NO_PROXIES;
  for (const network of networks) {
    if (!isNetwork(network)) {
      throw new Error(
        `${network.slice(0, 60)} is no network: give addresses such as 10.0.0.5, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal, or the number of proxies`,
      );
    }
  }
  const trusts = proxyAddr.compile(networks);
  return { trusts: (address, hop) => trusts(plainAddress(address), hop) };
}

function isNetwork(network: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/u.test(network)) return true;
  const [address = '', bits, ...rest] = network.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of all addresses would trust every visitor.
  return (
    bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** Without the port that some proxies add, and the brackets of IPv6. */
function plainAddress(address: string): string {
  const inBrackets = /^\[([^\]]{1,64})\](?::\d{1,5})?$/u.exec(address)?.[1];
  return inBrackets ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/u.exec(address)?.[1] ?? address;
}

interface IncomingRequest {
  /** The address of the connected peer. */
  readonly peer: string;
  /** The value of a header. If a name occurs several times, all values, separated by commas. */
  readonly header: (name: string) => string | undefined;
  /** The URL from the connection and the `Host` header. */
  readonly url: URL;
}

/** The sender of a request, and the origin of this server that it used. */
export interface ClientLocation {
  readonly address: string;
  readonly origin: string;
}

/**
 * Every proxy appends the address of its peer to `X-Forwarded-For`. So the visitor is the last address that does not belong to a trusted
 * proxy; the visitor may have written the entries before it. Headers of an untrusted peer are ignored.
 *
 * `Forwarded` (RFC 7239) is ignored, because most proxies pass the visitor's header on.
 */
export function arrivalOf(proxies: TrustedProxies, { peer, header, url }: IncomingRequest): ClientLocation {
  if (!proxies.trusts(peer, 0)) return { address: peer, origin: url.origin };
  const request = { headers: { 'x-forwarded-for': header('x-forwarded-for') }, socket: { remoteAddress: peer } };
  const trusted = (address: string, hop: number): boolean => proxies.trusts(address, hop);
  const chain = proxyAddr.all(request as unknown as IncomingMessage, trusted).map(plainAddress);
  const protocol = lastOf(header('x-forwarded-proto'))?.toLowerCase();
  const scheme = protocol === 'http' || protocol === 'https' ? `${protocol}:` : url.protocol;
  const host = hostOf(lastOf(header('x-forwarded-host'))) ?? url.host;
  return {
    // If a proxy adds no address, it is itself the nearest known one.
    address: chain.reverse().find((address) => isIP(address) !== 0) ?? peer,
    origin: new URL(`${scheme}//${host}`).origin,
  };
}

/** The value from the nearest proxy, because others may come from the visitor. */
function lastOf(values: string | undefined): string | undefined {
  return values?.split(',').at(-1)?.trim();
}

const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/iu;

function hostOf(host: string | undefined): string | null {
  return host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`) ? host : null;
}

const WARN_EVERY_MS = 60 * MINUTE_MS;

/** The network address of the connected peer; empty for a request within this process. */
export function peerAddress(context: AppContext): string {
  return context.env?.incoming?.socket.remoteAddress ?? '';
}

interface ArrivalServices {
  readonly proxies?: TrustedProxies | undefined;
  readonly project: { readonly issuer: string | null };
}

/** Determines the sender of each request, and the URL of this server that it used, even behind proxies. */
export function arrival({ proxies = NO_PROXIES, project }: ArrivalServices, warn: Warn = () => undefined) {
  const tell = atMostEvery(WARN_EVERY_MS, warn);
  return createMiddleware<AppEnv>(async (context, next) => {
    const peer = peerAddress(context);
    const header = (name: string): string | undefined => context.req.header(name);
    const { address, origin } = arrivalOf(proxies, { peer, header, url: new URL(context.req.url) });
    context.set('address', address);
    context.set('origin', origin);
    context.set('publicOrigin', project.issuer ?? origin);
    // On the internet, any client can send this header.
    if (peer !== '' && !proxies.trusts(peer, 0) && header('x-forwarded-for') !== undefined && !isPublicAddress(peer)) {
      tell(
        'a proxy that --trust-proxy does not name forwards requests: all of its visitors share the limits of one address.',
      );
    }
    return next();
  });
}

/** The visitor's network address; empty for a request within this process. */
export function remoteAddress(context: AppContext): string {
  return context.get('address');
}

/** The origin at which the caller reached this server. */
export function requestOrigin(context: AppContext): string {
  return context.get('origin');
}

/** The headers that proxies, tunnels and content delivery networks add to a forwarded request. */
const FORWARDING: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'true-client-ip',
  'fastly-client-ip',
  'cdn-loop',
  'cf-connecting-ip',
  'cf-ray',
]);

/** True for a request that a proxy forwarded: the peer's address is then not the client's. */
export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => FORWARDING.has(name) || name.startsWith('x-forwarded'));
}

/**
 * Refuses forwarded requests: behind a proxy on this machine, requests from the internet look local. A proxy that adds no header cannot be
 * detected, so features that must never be public exist only with `--dev`.
 */
export const directOnly = createMiddleware<AppEnv>(async (context, next) => {
  if (isForwarded(context.req.raw.headers)) {
    return refuse(context, new Refusal('unauthorized_action', 'This answers programs of this machine, not a proxy.'));
  }
  return next();
});
