import { once } from 'node:events';
import { connect } from 'node:net';

const HOST = 'Host: localhost\r\n';
const request = (target: string, { method = 'GET', host = HOST, headers = '' } = {}): string =>
  `${method} ${target} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`;

/** Requests that no browser sends, which a server that reads their target or fields carelessly does not survive. */
const HOSTILE_REQUESTS: readonly string[] = [
  // prettier-ignore
  '//[',
  '//',
  '//evil.example:x/',
  '///',
  '/\\',
  '/%',
  '/%zz',
  '/%00',
  '/%ff',
  '/?%',
  '/#',
  '/:',
  '/http://[',
  '/..%2f..%2f..%2fetc/passwd',
  '/../../../etc/passwd',
  '/callback?code=%ff&state=%',
  '/__proto__',
  '/constructor',
  'http://[',
  'http://evil.example:99999/',
  'https://',
  `/${'a'.repeat(20_000)}`,
]
  .map((target) => request(target))
  .concat(
    ['OPTIONS', 'PATCH', 'TRACE'].map((method) => request('*', { method })),
    request('evil.example:443', { method: 'CONNECT' }),
    request('//[', { method: 'POST', headers: 'Origin: //[\r\nContent-Length: 0\r\n' }),
    ['Host: [\r\n', 'Host: \r\n', ''].map((host) => request('/', { host })),
    ['Cookie: %zz=%; =; ;', 'Authorization: Bearer', 'Authorization: Basic %', 'Referer: //[', 'Range: bytes=9-1'].map(
      (field) => request('/', { headers: `${field}\r\n` }),
    ),
    request('/', { headers: 'If-None-Match: "\r\nAccept-Encoding: ,;q=x\r\nAccept-Language: ;\r\n' }),
  );

/** Sends them to a server of this machine. Fails where it does not answer an ordinary request afterwards. */
export async function surviveHostileRequests(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (const bytes of HOSTILE_REQUESTS) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.end(bytes);
    socket.resume();
    // oxlint-disable-next-line no-await-in-loop -- the one that ends a server is known by what comes after it
    await once(socket, 'close');
    // oxlint-disable-next-line no-await-in-loop
    await fetch(url, { redirect: 'manual' }).catch((error: unknown) => {
      throw new Error(`No answer after ${JSON.stringify(bytes.slice(0, 80))}`, { cause: error });
    });
  }
}
