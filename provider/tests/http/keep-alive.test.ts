import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { Connections, LIMITS } from '#provider/operation/server/connections.ts';
import { listen, type ListeningServer } from '#provider/operation/server/listen.ts';
import { NO_PROXIES, trustedProxies } from '#provider/base/http/arrival.ts';

const PATIENCE = { headersMs: 5_000, requestMs: 5_000, idleMs: 50, checkMs: 1_000 };

describe('an idle connection', () => {
  const sockets: Socket[] = [];
  let server: ListeningServer | undefined;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.close();
  });

  const serve = async (trust: string | null, keepAliveMs: number, limits = LIMITS) => {
    const proxies = trust === null ? NO_PROXIES : trustedProxies(trust);
    const connections = new Connections(limits, { proxies, keepAliveMs });
    server = await listen((_, response) => response.end('ok'), '127.0.0.1', 0, { patience: PATIENCE, connections });
    return server.port;
  };
  const open = async (port: number, from: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket, text = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'): Promise<string> => {
    socket.write(text);
    return String((await once(socket, 'data'))[0]);
  };

  it('of a trusted proxy is kept longer than that of a visitor, also after several requests', async () => {
    const port = await serve('127.0.0.2', 60_000);
    const proxy = await open(port, '127.0.0.2');
    const visitor = await open(port, '127.0.0.3');
    // A request may be refused before its body has arrived.
    expect(await ask(proxy, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n')).toContain('200 OK');
    proxy.write('x');
    for (const socket of [proxy, proxy, visitor]) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 OK/u);
    // The proxy's connection has been idle for longer.
    await once(visitor, 'close');
    expect(await ask(proxy)).toMatch(/^HTTP\/1\.1 200 OK/u);
    expect(proxy.destroyed).toBe(false);
  });

  it('of a trusted proxy is closed after the time of the option', async () => {
    const proxy = await open(await serve('127.0.0.2', 100), '127.0.0.2');
    await ask(proxy);
    await once(proxy, 'close');
  });

  it('of a trusted proxy does not displace another one, while a visitor may hold few', async () => {
    const limits = { total: 100, perPeer: 2, fromLoopback: 50 };
    // Every address of these tests is loopback, which may hold as many as a proxy: one of the network is needed.
    const admitted = (address: string, trust: string | null): number => {
      const proxies = trust === null ? NO_PROXIES : trustedProxies(trust);
      const connections = new Connections(limits, { proxies, keepAliveMs: 1 });
      const socket = (): Socket =>
        ({ remoteAddress: address, once: () => undefined, destroy: () => undefined }) as never;
      for (let i = 0; i < 10; i += 1) connections.admit(socket());
      return connections.open;
    };
    expect(admitted('192.168.7.1', null)).toBe(2);
    expect(admitted('192.168.7.1', '192.168.7.0/24')).toBe(10);
    expect(admitted('198.51.100.1', '192.168.7.0/24')).toBe(2);
  });
});
