/** Loopback ports: 127.0.0.1 and, where there is one, ::1, because `localhost` may mean either. */
import { createServer } from 'node:http';

export class PortTaken extends Error {
  constructor(port, name = '') {
    super(`Port ${port}${name && ` (${name})`} is taken.`);
  }
}

function bind(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve(server.address().port);
    });
  });
}

const shut = (server) =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

/**
 * Serves on both loopback addresses; port 0 picks a free one.
 *
 * @param {import('node:http').RequestListener} handler
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 * @throws {PortTaken}
 */
export async function listenOnLoopback(handler, port) {
  for (let attempt = 1; ; attempt += 1) {
    const servers = [createServer(handler), createServer(handler)];
    try {
      const got = await bind(servers[0], port, '127.0.0.1');
      await bind(servers[1], got, '::1').catch((error) => {
        if (error.code === 'EADDRINUSE' || error.code === 'EACCES') throw error;
      });
      return { port: got, close: () => Promise.all(servers.map(shut)).then(() => undefined) };
    } catch (error) {
      await Promise.all(servers.map(shut));
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
      if (port !== 0 || attempt === 20) throw new PortTaken(port);
    }
  }
}

/** Whether both loopback addresses are free at this port. */
export async function isFree(port) {
  try {
    const { close } = await listenOnLoopback(() => {}, port);
    await close();
    return true;
  } catch (error) {
    if (error instanceof PortTaken) return false;
    throw error;
  }
}

export async function freePort() {
  const { port, close } = await listenOnLoopback(() => {}, 0);
  await close();
  return port;
}

/**
 * The port to use: the one the user named, or the first free one from the default on.
 *
 * @throws {PortTaken} when the user named one that is taken
 */
export async function choosePort({ name, named, fallback, avoid = [], say }) {
  if (named !== undefined) {
    if (await isFree(named)) return named;
    throw new PortTaken(named, name);
  }
  for (let port = fallback; port < fallback + 100; port += 1) {
    if (avoid.includes(port) || !(await isFree(port))) continue;
    if (port !== fallback) say(`Port ${fallback} is taken; using ${port}.`);
    return port;
  }
  throw new PortTaken(fallback, name);
}

/** @returns {number | undefined} @throws {RangeError} with a sentence for the user */
export function portFrom(name, text) {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new RangeError(`${name} must be a port number between 1 and 65535, not "${text}".`);
}
