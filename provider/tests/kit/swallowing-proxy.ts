import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy on loopback that can swallow: connections stay open, new ones are taken, and nothing gets through or back.
 * So does a firewall that lost its state, or a host that lost its power. What was swallowed stays swallowed.
 */
export async function swallowingProxy(port: number) {
  const sockets = new Set<Socket>();
  let swallowing = false;
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
    near.pipe(far);
    far.pipe(near);
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
    /** For new connections. */
    letThrough() {
      swallowing = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
