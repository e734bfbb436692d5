/** Ports and servers on this machine. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portOwner } from '../../provider/src/base/port-owner.ts';
import getPort, { portNumbers } from 'get-port';

export interface LocalServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves on `localhost`; port 0 picks a free one. */
export async function serve(handler: RequestListener, port: number): Promise<LocalServer> {
  const server = createServer(handler).listen(port, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * The port in the variable `name`, or the first free one from the default on. Each port is returned once.
 *
 * @throws {RangeError} when the variable is not a port, or the port is in use
 */
export async function choosePort(
  name: string,
  fallback: number,
  { env = process.env, say = console.log }: { env?: NodeJS.ProcessEnv; say?: (line: string) => void } = {},
): Promise<number> {
  const named = env[name];
  if (named) {
    const port = Number(named);
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new RangeError(`${name} must be a port number between 1 and 65535, not "${named}".`);
    }
    const free = await getPort({ port: portNumbers(port, Math.min(port + 99, 65535)) });
    if (free !== port) {
      throw new RangeError(
        `Port ${port} (${name}) is taken${portOwner(port)}. Choose another, such as ${name}=${free}.`,
      );
    }
    return port;
  }
  const port = await getPort({ port: portNumbers(fallback, fallback + 99) });
  if (port !== fallback) say(`Port ${fallback} is taken${portOwner(fallback)}; using ${port}. ${name} names another.`);
  return port;
}
