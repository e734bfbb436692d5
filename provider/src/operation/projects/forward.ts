import { request, type Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { BODY_LIMIT } from '../../base/http/bodies.ts';

/** What the router found out about the sender, in place of what the request says. */
export interface Sender {
  readonly address: string;
  readonly protocol: string;
  readonly host: string;
}

interface Target {
  readonly port: number;
  readonly agent: Agent;
  /** Replies that end only when somebody ends them. */
  readonly streams: Set<ServerResponse>;
  /** A server that says nothing for so long, in milliseconds, stands still. */
  readonly answerMs: number;
}

type ForwardResult = 'answered' | 'refused' | 'stale' | 'silent' | 'large' | 'failed';

/** Fields that belong to one connection (RFC 9110, section 7.6.1), and those that this router writes itself. */
const OWN: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
  'expect',
]);
const OF_SENDER: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']);

/**
 * Passes a request on, and its reply back, both as they arrive.
 *
 * @returns `answered` when the reply has begun, however it ended; `refused` if the server refused the connection, and `stale` if a kept connection
 * was gone and the request changes nothing, so that it can be sent again; `silent` if the server did not answer; `large` if it ended the
 * connection because of a body that is too large, which its reply, lost then, said; `failed` if the request may have been read
 */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { port, agent, streams, answerMs }: Target,
  sender: Sender,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    const sending = request({
      host: '127.0.0.1',
      port,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: requestFields(incoming, sender),
      timeout: answerMs,
    });
    let isSent = false;
    let bytes = 0;
    const gone = (): void => {
      if (!outgoing.writableFinished) sending.destroy();
    };
    outgoing.once('close', gone);
    sending.once('timeout', () => {
      resolve('silent');
      sending.destroy();
    });
    sending.once('response', (reply) => {
      sending.setTimeout(0);
      if (reply.headers['content-type']?.startsWith('text/event-stream') === true) {
        streams.add(outgoing);
        outgoing.once('close', () => streams.delete(outgoing));
      }
      answer(incoming, outgoing, reply);
      resolve('answered');
    });
    sending.on('error', ({ code }: NodeJS.ErrnoException) => {
      const isStale = sending.reusedSocket && isRepeatable(incoming);
      const isCut = bytes > BODY_LIMIT && (code === 'EPIPE' || code === 'ECONNRESET');
      resolve(code === 'ECONNREFUSED' ? 'refused' : isStale ? 'stale' : isCut ? 'large' : 'failed');
    });
    sending.once('close', () => {
      outgoing.off('close', gone);
      if (isSent) {
        incoming.unpipe(sending);
        // What the server does not read any more is read and dropped, so that the connection can go on.
        incoming.resume();
      }
      resolve('failed');
    });
    whenConnected(sending, () => {
      isSent = true;
      incoming.on('data', (part: Buffer) => (bytes += part.byteLength));
      incoming.pipe(sending);
    });
  });
}

function whenConnected(sending: ClientRequest, then: () => void): void {
  sending.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', then);
    else then();
  });
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse, reply: IncomingMessage): void {
  // The server closes its connection where it does not read the rest of the request.
  if (reply.headers.connection === 'close' && !incoming.complete) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEnd(reply));
  outgoing.flushHeaders();
  reply.pipe(outgoing);
  // A reply that breaks off breaks off here too: its end shows that it is whole.
  reply.once('error', () => outgoing.destroy());
  reply.once('close', () => {
    if (!reply.complete) outgoing.destroy();
  });
}

function requestFields(incoming: IncomingMessage, { address, protocol, host }: Sender): string[] {
  const fields = endToEnd(incoming, OF_SENDER);
  if (incoming.headers['transfer-encoding'] !== undefined) fields.push('Transfer-Encoding', 'chunked');
  else if (incoming.headers['content-length'] === undefined && mayHaveBody(incoming))
    fields.push('Content-Length', '0');
  fields.push('X-Forwarded-For', address, 'X-Forwarded-Proto', protocol, 'X-Forwarded-Host', host);
  return fields;
}

function isRepeatable({ method = '', headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody;
}

/** Node would send such a request without a length as one of unknown length. */
function mayHaveBody({ method = '' }: IncomingMessage): boolean {
  return !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method);
}

/** The header fields as they came, names and values in turn, without those of the connection. The length is never one of these. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, others: ReadonlySet<string> = new Set()): string[] {
  const listed = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  for (const name of ['content-length', 'host']) listed.delete(name);
  const fields: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const key = name.toLowerCase();
    if (!OWN.has(key) && !others.has(key) && !listed.has(key)) fields.push(name, value);
  }
  return fields;
}
