import { request, type Agent, type IncomingMessage, type ServerResponse } from 'node:http';

/** The router's own facts about the sender, which replace those in the request. */
export interface Sender {
  readonly address: string;
  readonly protocol: string;
  readonly host: string;
}

interface Target {
  readonly port: number;
  readonly agent: Agent;
  /** Replies that have no end of their own. */
  readonly streams: Set<ServerResponse>;
  /** If a server sends nothing for this long, in milliseconds, it has stopped working. The same goes for a peer that reads nothing. */
  readonly answerMs: number;
  /** Called when the server has finished the request, although its peer may not have read the reply yet. */
  readonly release: () => void;
}

type ForwardResult = 'answered' | 'refused' | 'stale' | 'broken' | 'silent' | 'failed';

/** Fields of a single connection (RFC 9110, section 7.6.1), and those that this router sets itself. */
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
/** The header fields that the router sets itself. */
const OF_REQUEST: ReadonlySet<string> = new Set([
  'content-length',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
]);
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);
/** True for methods that change nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request that has arrived, and its reply. */
interface WholeRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Uint8Array;
}

/**
 * Passes a complete request on, and its reply back as it arrives.
 *
 * @returns `answered` when the reply has begun, however it ended; `refused` if the server refused the connection; `silent` if the server
 * did not answer; `failed` if a request that changes something may have been read. A request that changes nothing can be sent again: then
 * it is `stale` if a kept connection was gone, and `broken` if a new one broke
 */
export function forward(
  { incoming, outgoing, body }: WholeRequest,
  { port, agent, streams, answerMs, release }: Target,
  sender: Sender,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    const sending = request({
      host: '127.0.0.1',
      port,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: requestFields(incoming, body, sender),
      timeout: answerMs,
    });
    const abort = (): void => {
      if (!outgoing.writableFinished) sending.destroy();
    };
    outgoing.once('close', abort);
    sending.once('timeout', () => {
      resolve('silent');
      sending.destroy();
    });
    sending.once('response', (reply) => {
      sending.setTimeout(0);
      if (reply.headers['content-type']?.startsWith('text/event-stream') === true) {
        streams.add(outgoing);
        outgoing.once('close', () => streams.delete(outgoing));
      } else outgoing.setTimeout(answerMs, () => outgoing.destroy());
      reply.once('close', release);
      answer(outgoing, reply);
      resolve('answered');
    });
    sending.on('error', ({ code }: NodeJS.ErrnoException) => {
      const isRepeatable = body.byteLength === 0 && REPEATABLE.has(incoming.method ?? '');
      if (code === 'ECONNREFUSED') resolve('refused');
      else resolve(isRepeatable ? (sending.reusedSocket ? 'stale' : 'broken') : 'failed');
    });
    sending.once('close', () => {
      outgoing.off('close', abort);
      resolve('failed');
    });
    sending.end(body);
  });
}

function answer(outgoing: ServerResponse, reply: IncomingMessage): void {
  outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEnd(reply));
  outgoing.flushHeaders();
  reply.pipe(outgoing);
  // A reply that breaks off must break off here, too, because its end shows that it is complete.
  reply.once('error', () => outgoing.destroy());
  reply.once('close', () => {
    if (!reply.complete) outgoing.destroy();
  });
}

function requestFields(incoming: IncomingMessage, body: Uint8Array, { address, protocol, host }: Sender): string[] {
  const fields = endToEnd(incoming, OF_REQUEST);
  // Without a length, Node would send some methods as chunked.
  if (body.byteLength > 0 || !WITHOUT_BODY.has(incoming.method ?? ''))
    fields.push('Content-Length', `${body.byteLength}`);
  fields.push('X-Forwarded-For', address, 'X-Forwarded-Proto', protocol, 'X-Forwarded-Host', host);
  return fields;
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
