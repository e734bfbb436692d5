import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outgoingProxyFrom } from '#provider/base/http/outgoing-proxy.ts';
import { outsideFetch, setOutgoingProxy } from '#provider/base/http/outside-fetch.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { tlsFront, type TlsFront } from '../kit/tls-front.ts';

/** A name of which no name server knows (RFC 6761, section 6.4), as behind a firewall. */
const HOST = 'api.service.invalid';
const open = new Set<Duplex>();
const servers: Server[] = [];
let proxy = '';
/** What the proxy was asked. */
let lines: string[] = [];
let target: string;
let front: TlsFront;
let refusal: string | null = null;

async function serve(listener: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

const lineOf = ({ method, url, headers }: IncomingMessage): string =>
  `${method} ${url} ${headers['proxy-authorization'] ?? ''}`.trim();

beforeEach(async () => {
  [lines, refusal] = [[], null];
  const service = await serve((request, response) => response.end(`${request.method} ${request.url} served`));
  front = await tlsFront(service.port, 'service.invalid');
  target = front.issuer;
  const { server, port } = await serve((request, response) => {
    lines.push(lineOf(request));
    response.end('by the proxy');
  });
  server.on('connect', (request, socket) => {
    lines.push(lineOf(request));
    if (refusal !== null) {
      socket.end(refusal);
      return;
    }
    const far = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(far).pipe(socket);
    });
    for (const each of [far, socket]) {
      open.add(each);
      each.on('error', () => each.destroy());
    }
  });
  proxy = `http://127.0.0.1:${port}`;
});

afterEach(async () => {
  setOutgoingProxy(null);
  vi.unstubAllEnvs();
  for (const socket of open) socket.destroy();
  open.clear();
  await front.close();
  for (const server of servers.splice(0)) server.closeAllConnections();
});

const use = (url = proxy): void => setOutgoingProxy(outgoingProxyFrom(url, '--outgoing-proxy'));
const guarded = outsideFetch({ timeoutMs: PATIENCE_MS });
const chosen = outsideFetch({ allowPrivate: true, timeoutMs: PATIENCE_MS });

describe('calls through a proxy', () => {
  it('go through a tunnel to a server of TLS, whose certificate this server checks', async () => {
    use();
    await expect(guarded(`https://${HOST}/a`)).rejects.toMatchObject({ failure: 'unreachable' });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    for (const fetch of [guarded, chosen]) {
      expect(await (await fetch(`https://${HOST}/a?b=1`)).text()).toBe('GET /a?b=1 served');
      expect(await (await fetch(`https://${HOST}/c`, { method: 'POST', body: 'x' })).text()).toBe('POST /c served');
    }
    expect(new Set(lines)).toEqual(new Set([`CONNECT ${HOST}:443`]));
  });

  it('present the name and the password of the URL', async () => {
    use(proxy.replace('//', '//ada:p%40ss@'));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await guarded(`https://${HOST}/`);
    await chosen(`http://${HOST}/plain`);
    const credentials = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
    expect(lines).toEqual([`CONNECT ${HOST}:443 ${credentials}`, `GET http://${HOST}/plain ${credentials}`]);
  });

  it('say so when the proxy refuses, and do not go another way', async () => {
    use();
    refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n';
    const failure = await guarded(`https://${HOST}/`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: 'unreachable', cause: new Error('the proxy answered 407') });
  });

  it('do not lead to an address that is known here as one of the own network, which the operator may call directly', async () => {
    use();
    const { port } = await serve((_request, response) => response.end('direct'));
    expect(await (await chosen(`http://127.0.0.1:${port}/`)).text()).toBe('direct');
    expect(await (await chosen(`http://localhost:${port}/`)).text()).toBe('direct');
    for (const inner of [`https://localhost:${port}/`, 'https://10.0.0.1/', 'https://[::1]/', 'https://[fd00::1]/']) {
      await expect(guarded(inner)).rejects.toMatchObject({ failure: 'forbidden_address' });
    }
    expect(lines).toEqual([]);
  });

  it('are not made with a password that is no part of a URL, which is not repeated', () => {
    const text = 'http://ada:100%@proxy.example:3128';
    expect(() => optionsFrom(['--outgoing-proxy', text, '--port', '0'], {})).toThrow(
      '--outgoing-proxy has a name or a password with a % that begins no escape: write %25.',
    );
  });

  it.each(['ftp://proxy:1', 'proxy:3128', 'http://proxy/path', 'http://proxy?x', 'http://ada:secret@', ''])(
    'refuse %s as the address of a proxy, without repeating it',
    (text) => {
      expect(() => optionsFrom(['--outgoing-proxy', text, '--port', '0'], {})).toThrow(
        '--outgoing-proxy must be the address of a proxy: http://proxy.example:3128.',
      );
    },
  );
});
