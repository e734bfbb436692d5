import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopbackAddress, widestNetworkOf } from '#provider/base/peer.ts';
import { NO_PROXIES, type TrustedProxies } from '#provider/base/http/arrival.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** The most from one IPv4 address or one IPv6 /64: a household, an office, a proxy. */
  readonly perPeer: number;
  /** The most from this machine, which may run a proxy for all visitors, and from each trusted proxy. */
  readonly fromLoopback: number;
}

/** The connections of trusted proxies, which carry many visitors and are reused. */
export interface ProxyConnections {
  readonly proxies: TrustedProxies;
  /** The longest idle time of such a connection. It is longer than the proxy's, so that the proxy never uses one that is being closed. */
  readonly keepAliveMs: number;
}

export const LIMITS: ConnectionLimits = { total: 2_000, perPeer: 256, fromLoopback: 2_000 };

/**
 * Limits the number of open sockets. If there are too many, the socket that has waited longest without a complete request is closed. So
 * slow and idle peers displace each other, not people who log in.
 */
export class Connections {
  private readonly peers = new Map<string, number>();
  /** The sockets without a request in progress, longest wait first. */
  private readonly waiting = new Map<Socket, string>();
  /** The sockets that were closed here and no longer count, although their 'close' event is still to come. */
  private readonly evicted = new WeakSet<Socket>();
  private total = 0;

  constructor(
    private readonly limits: ConnectionLimits = LIMITS,
    private readonly proxies: ProxyConnections = { proxies: NO_PROXIES, keepAliveMs: 0 },
  ) {}

  get open(): number {
    return this.total;
  }

  admit(socket: Socket): void {
    const { total, perPeer, fromLoopback } = this.limits;
    const { remoteAddress = '' } = socket;
    const near = isLoopbackAddress(remoteAddress);
    const peer = near ? 'loopback' : widestNetworkOf(remoteAddress);
    const peerCount = this.peers.get(peer) ?? 0;
    const shared = near || this.isProxy(socket);
    const full = peerCount >= (shared ? fromLoopback : perPeer);
    if ((full && !this.closeOldest(peer)) || (this.total >= total && !this.closeOldest())) {
      socket.destroy();
      return;
    }
    this.count(peer, 1);
    this.waiting.set(socket, peer);
    socket.once('close', () => {
      this.waiting.delete(socket);
      if (!this.evicted.delete(socket)) this.count(peer, -1);
    });
  }

  /** Marks the socket as busy, from the complete request until its response. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const peer = this.waiting.get(socket);
    if (peer === undefined) return;
    let isAnswered = false;
    const whole = (): void => {
      // A request may be refused before its body has arrived.
      if (!isAnswered) this.waiting.delete(socket);
    };
    if (hasBody(request)) request.once('end', whole);
    else whole();
    response.once('finish', () => {
      isAnswered = true;
      if (socket.destroyed) return;
      this.waiting.set(socket, peer);
      // Node has just set the time-out for direct visitors, and announces it to the peer. A proxy that respects it closes earlier.
      if (this.isProxy(socket)) socket.setTimeout(this.proxies.keepAliveMs);
    });
  }

  private isProxy({ remoteAddress = '' }: Socket): boolean {
    return this.proxies.proxies.trusts(remoteAddress, 0);
  }

  /** Closes the sockets that have not sent anything yet. */
  closeSilent(): void {
    for (const socket of this.waiting.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  private closeOldest(of?: string): boolean {
    for (const [socket, peer] of this.waiting) {
      if (of !== undefined && peer !== of) continue;
      this.waiting.delete(socket);
      this.evicted.add(socket);
      this.count(peer, -1);
      socket.destroy();
      return true;
    }
    return false;
  }

  private count(peer: string, by: 1 | -1): void {
    this.total += by;
    const peerCount = (this.peers.get(peer) ?? 0) + by;
    if (peerCount > 0) this.peers.set(peer, peerCount);
    else this.peers.delete(peer);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
