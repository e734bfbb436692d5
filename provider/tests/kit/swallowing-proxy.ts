import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** How long each part of a disturbed connection is held back, in milliseconds. */
const DELAY_MS = 5;

/** Passes bytes on late, and ends both connections in the middle of a message once so many have passed. */
function pump(from: Socket, to: Socket, bytes: number): void {
  let left = bytes;
  from.on('data', (part: Buffer) => {
    from.pause();
    const passed = part.subarray(0, left);
    left -= passed.length;
    setTimeout(() => {
      to.write(passed);
      from.resume();
      if (left === 0) for (const socket of [from, to]) socket.destroy();
    }, DELAY_MS);
  });
  from.once('end', () => to.end());
}

/**
 * A TCP proxy on loopback that can swallow: connections stay open, new ones are taken, and nothing gets through or back.
 * So does a firewall that lost its state, or a host that lost its power. What was swallowed stays swallowed.
 */
export async function swallowingProxy(port: number) {
  const sockets = new Set<Socket>();
  let swallowing = false;
  let disturbing: (() => number) | null = null;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined).on('close', () => sockets.delete(near));
    if (swallowing) {
      near.resume();
      return;
    }
    const far = connect(port, '127.0.0.1');
    sockets.add(far);
    far.on('error', () => near.destroy()).on('close', () => sockets.delete(far));
    if (disturbing === null) {
      near.pipe(far);
      far.pipe(near);
    } else {
      pump(near, far, disturbing());
      pump(far, near, disturbing());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      swallowing = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('data');
        socket.resume();
      }
    },
    /** Cuts all connections. New ones are slow, and cut after as many bytes as `bytes` says. */
    disturb(bytes: () => number) {
      disturbing = bytes;
      for (const socket of sockets) socket.destroy();
    },
    /** For new connections. Disturbed ones are cut. */
    letThrough() {
      if (disturbing !== null) for (const socket of sockets) socket.destroy();
      swallowing = false;
      disturbing = null;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
