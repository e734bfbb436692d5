/** Loopback ports: 127.0.0.1 and, where there is one, ::1, because `localhost` may mean either. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class PortTaken extends Error {
  constructor(port: number, name = '') {
    super(`Port ${port}${name && ` (${name})`} is taken.`);
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
const isTaken = (error: unknown): boolean => codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES';

async function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

const shut = async (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves on both loopback addresses; port 0 picks a free one. @throws {PortTaken} */
export async function listenOnLoopback(handler: RequestListener, port: number): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    const [first, second] = [createServer(handler), createServer(handler)];
    const shutBoth = async (): Promise<void> => void (await Promise.all([shut(first), shut(second)]));
    try {
      const got = await bind(first, port, '127.0.0.1');
      await bind(second, got, '::1').catch((error: unknown) => {
        if (isTaken(error)) throw error;
      });
      return { port: got, close: shutBoth };
    } catch (error) {
      await shutBoth();
      if (!isTaken(error)) throw error;
      if (port !== 0 || attempt === 20) throw new PortTaken(port);
    }
  }
}

/** Whether both loopback addresses are free at this port. */
export async function isFree(port: number): Promise<boolean> {
  try {
    const listening = await listenOnLoopback(() => {}, port);
    await listening.close();
    return true;
  } catch (error) {
    if (error instanceof PortTaken) return false;
    throw error;
  }
}

export async function freePort(): Promise<number> {
  const listening = await listenOnLoopback(() => {}, 0);
  await listening.close();
  return listening.port;
}

interface Wish {
  readonly name: string;
  readonly named?: number | undefined;
  readonly fallback: number;
  readonly avoid?: readonly number[];
  readonly say: (line: string) => void;
}

/**
 * The port to use: the one the user named, or the first free one from the default on.
 *
 * @throws {PortTaken} when the user named one that is taken
 */
export async function choosePort({ name, named, fallback, avoid = [], say }: Wish): Promise<number> {
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

/** @throws {RangeError} with a sentence for the user */
export function portFrom(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new RangeError(`${name} must be a port number between 1 and 65535, not "${text}".`);
}
