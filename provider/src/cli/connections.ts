import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopbackAddress, networkOf } from '../http/peer.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** From one IPv4 address or one /64 of IPv6: a household, an office, a proxy. */
  readonly perPeer: number;
  /** From this machine, where a proxy may stand for everybody. */
  readonly fromLoopback: number;
}

const LIMITS: ConnectionLimits = { total: 2_000, perPeer: 256, fromLoopback: 2_000 };

/**
 * Bounds how many sockets are open. When there are too many, the one that has waited longest without a whole request is
 * closed for the new one: slow and idle peers displace each other, not people who log in.
 */
export class Connections {
  private readonly peers = new Map<string, number>();
  /** Sockets that nothing is done for, those that waited longest first. */
  private readonly waiting = new Map<Socket, string>();
  /** Closed here and counted as gone, before their 'close' comes. */
  private readonly evicted = new WeakSet<Socket>();
  private total = 0;

  constructor(private readonly limits: ConnectionLimits = LIMITS) {}

  get open(): number {
    return this.total;
  }

  admit(socket: Socket): void {
    const { total, perPeer, fromLoopback } = this.limits;
    const { remoteAddress = '' } = socket;
    const near = isLoopbackAddress(remoteAddress);
    const peer = near ? 'loopback' : networkOf(remoteAddress);
    const held = this.peers.get(peer) ?? 0;
    const full = held >= (near ? fromLoopback : perPeer);
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

  /** A socket does not wait from when its request is whole until that is answered. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const peer = this.waiting.get(socket);
    if (peer === undefined) return;
    const whole = (): void => void this.waiting.delete(socket);
    if (hasBody(request)) request.once('end', whole);
    else whole();
    response.once('finish', () => {
      if (!socket.destroyed) this.waiting.set(socket, peer);
    });
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
    const held = (this.peers.get(peer) ?? 0) + by;
    if (held > 0) this.peers.set(peer, held);
    else this.peers.delete(peer);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
