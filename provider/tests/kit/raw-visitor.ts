import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { HOST } from './front-proxies.ts';

/** A connection to a proxy, over which a test writes bytes that no HTTP library would. */
function opened(port: number, from: string, protocol: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      localAddress: from,
      servername: HOST,
      rejectUnauthorized: false,
      ALPNProtocols: [protocol],
    };
    // The types do not have `localAddress`, which goes to `net.connect`.
    const socket = connect(options satisfies ConnectionOptions & { localAddress: string });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** The longest wait for a reply: longer than the time-outs of the proxies for an unfinished request. */
const CEILING_MS = 15_000;

/**
 * Resolves with what the proxy sent, as Latin-1, once it closed the connection or `isDone`.
 */
function heard(socket: TLSSocket, isDone: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const end = (): void => {
      clearTimeout(ceiling);
      socket.destroy();
      resolve(bytes);
    };
    const ceiling = setTimeout(end, CEILING_MS);
    socket.once('close', end);
    socket.on('data', (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      if (isDone(bytes)) end();
    });
  });
}

/** Sends bytes as HTTP/1.1, and returns all that comes until the proxy closes, or the first response with `first`. */
export async function sendRaw(
  {
    port,
    from = '127.0.0.1',
    first = true,
  }: { readonly port: number; readonly from?: string; readonly first?: boolean },
  bytes: string,
): Promise<string> {
  const socket = await opened(port, from, 'http/1.1');
  const reply = heard(socket, (text) => first && /^HTTP\/1\.[01] [2-5]/mu.test(text.toString('latin1')));
  socket.write(Buffer.from(bytes, 'latin1'));
  return (await reply).toString('latin1');
}

/** One header field, literal, without indexing and without Huffman coding (RFC 7541, section 6.2.2). */
function literal([name, value]: readonly [string, string]): Buffer {
  const text = (given: string): Buffer => {
    const bytes = Buffer.from(given, 'latin1');
    const length =
      bytes.length < 127 ? [bytes.length] : [127, ((bytes.length - 127) & 0x7f) | 0x80, (bytes.length - 127) >> 7];
    return Buffer.concat([Buffer.from(length), bytes]);
  };
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
}

function framesOf(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    frames.push({ type: bytes[at + 3] ?? 0, flags: bytes[at + 4] ?? 0, stream: bytes.readUInt32BE(at + 5) });
  }
  return frames;
}

/**
 * Sends one request as HTTP/2, with header fields that a library would refuse. Resolves when the stream or the connection has ended.
 */
export async function sendHttp2(
  { port, from = '127.0.0.1' }: { readonly port: number; readonly from?: string },
  fields: readonly (readonly [string, string])[],
  body = '',
): Promise<{ readonly answered: boolean }> {
  const socket = await opened(port, from, 'h2');
  const answer = heard(socket, (bytes) =>
    framesOf(bytes).some(
      ({ type, flags, stream }) =>
        type === FRAME.goAway ||
        (stream === 1 &&
          (type === FRAME.reset || ((type === FRAME.data || type === FRAME.headers) && (flags & END_STREAM) !== 0))),
    ),
  );
  const head = Buffer.concat(fields.map(literal));
  socket.write(
    Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      frame(FRAME.settings, 0, 0, Buffer.alloc(0)),
      frame(FRAME.headers, END_HEADERS | (body === '' ? END_STREAM : 0), 1, head),
      ...(body === '' ? [] : [frame(FRAME.data, END_STREAM, 1, Buffer.from(body, 'latin1'))]),
    ]),
  );
  return { answered: framesOf(await answer).some(({ type, stream }) => stream === 1 && type === FRAME.headers) };
}
