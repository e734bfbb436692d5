import { request } from 'node:http';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** How often a server is asked whether it is ready. */
const CHECK_MS = 100;

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/**
 * A TCP load balancer on loopback: each connection goes to the next server that is ready. A server that refuses the connection
 * is passed over, as haproxy does with `option redispatch`.
 */
export async function startBalancer(first: readonly string[]) {
  let servers = first.map((url) => ({ port: Number(new URL(url).port), ready: true }));
  const sockets = new Set<Socket>();
  let turn = 0;

  const route = (near: Socket, tries: number): void => {
    const ready = servers.filter((server) => server.ready);
    turn += 1;
    const chosen = ready[turn % ready.length];
    if (chosen === undefined || tries === 0) {
      near.destroy();
      return;
    }
    const far = connect(chosen.port, '127.0.0.1');
    sockets.add(far);
    far.on('close', () => sockets.delete(far));
    far.once('error', () => route(near, tries - 1));
    far.once('connect', () => {
      far.removeAllListeners('error');
      far.on('error', () => near.destroy());
      near.on('error', () => far.destroy());
      near.pipe(far);
      far.pipe(near);
    });
  };
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined).on('close', () => sockets.delete(near));
    route(near, 3);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const check = (each: { readonly port: number; ready: boolean }): void => {
    const asking = request({ port: each.port, host: '127.0.0.1', path: '/readyz', agent: false }, (reply) => {
      reply.resume();
      each.ready = (reply.statusCode ?? 0) < 500;
    });
    asking.on('error', () => (each.ready = false)).end();
  };
  const checking = setInterval(() => servers.forEach(check), CHECK_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Adds a server. */
    add(url: string) {
      servers = [...servers, { port: Number(new URL(url).port), ready: true }];
    },
    close() {
      clearInterval(checking);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
