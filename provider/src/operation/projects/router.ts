import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, refusalBody } from '#domain/rules/refusal.ts';
import { Bodies, bodyOf } from '#provider/base/http/bodies.ts';
import { arrivalOf, type TrustedProxies } from '#provider/base/http/arrival.ts';
import { logRequest } from '#provider/base/http/hygiene.ts';
import type { Log } from '#provider/base/log/log.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { forward, type Sender } from './forward.ts';
import type { Lease } from './project-process.ts';
import { NoServer } from './waiting-requests.ts';
import type { RequestNames } from './directory.ts';

interface RouterServices {
  readonly proxies: TrustedProxies;
  readonly log: Log;
  /** The process of the project that a request names; null if it names none. */
  readonly find: (names: RequestNames) => { lease(): Promise<Lease | null> } | null;
  /**
   * The time limit in milliseconds. A server that does not answer a request within it is replaced, and a peer that does not read its reply
   * is cut off.
   */
  readonly answerMs?: number;
  /** The limits of incoming bodies. */
  readonly bodies?: Bodies;
}

/** A server answers within about ten seconds, even if its database is away. */
const ANSWER_MS = 60_000;

export interface Router {
  readonly listener: RequestListener;
  /** Ends the replies that have no end of their own. */
  endStreams(): void;
}

/** The attempts: on a kept connection, to a server that has just ended, and to the next one; or after the project got another process. */
const MOST_ATTEMPTS = 3;

/** It takes this long until the end of a server is known after its connections broke. */
const END_KNOWN_MS = 200;

const WHAT_TO_GIVE =
  'No project here has this host, public token or project id. Use the host of the issuer of a project, or name the project by its public token or project id, such as in Authorization: Basic.';

/** Passes each request to the server of its project. */
export function makeRouter(options: RouterServices): Router {
  const services = { bodies: new Bodies(), ...options };
  const streams = new Set<ServerResponse>();
  return {
    listener(incoming, outgoing) {
      const began = performance.now();
      // The peer is gone, so nobody would receive an answer.
      incoming.on('error', () => undefined);
      outgoing.on('error', () => undefined);
      const exchange = { incoming, outgoing, began };
      route(services, exchange, streams).catch((error: unknown) => refuse(services, exchange, error));
    },
    endStreams() {
      for (const stream of streams) stream.end();
    },
  };
}

async function route(
  services: RouterServices & { readonly bodies: Bodies },
  { incoming, outgoing }: Exchange,
  streams: Set<ServerResponse>,
): Promise<void> {
  const { answerMs = ANSWER_MS } = services;
  const { sender, host } = senderOf(services.proxies, incoming);
  const { authorization } = incoming.headers;
  const project = () => {
    const found = services.find({ host, target: pathOf(incoming), authorization });
    if (found === null) throw new Refusal('project_not_found', WHAT_TO_GIVE);
    return found;
  };
  project();
  // Before it gets a server: a server that waits for a slow sender could not make room for other projects.
  const body = await wholeBody(services.bodies, incoming);
  let wasBroken = false;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const lease = await project().lease();
    if (lease === null) continue;
    if (outgoing.destroyed) {
      lease.release();
      return;
    }
    outgoing.once('close', () => lease.release());
    const how = await forward({ incoming, outgoing, body }, { ...lease, streams, answerMs }, sender);
    if (how === 'answered' || outgoing.destroyed) return;
    if (how === 'refused' || how === 'silent') lease.distrust();
    lease.release();
    if (how === 'failed' || how === 'silent' || (how === 'broken' && wasBroken))
      throw new Refusal(
        'service_unavailable',
        'The server of this project ended before it answered. Please try again in a moment.',
        1,
      );
    // A server that has just crashed may accept a connection before its end is known. A request that crashes servers must not end a third
    // one.
    wasBroken ||= how === 'broken';
    if (how === 'broken') await Promise.race([lease.exit, sleep(END_KNOWN_MS)]);
  }
  throw new NoServer(1);
}

async function wholeBody(bodies: Bodies, incoming: IncomingMessage): Promise<Uint8Array> {
  const { headers } = incoming;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    return new Uint8Array();
  const request = asWebRequest(incoming);
  await bodies.receive(request);
  return bodyOf(request);
}

/** Its body, with the fields that describe it. */
function asWebRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of ['content-length', 'content-encoding'] as const) {
    const value = incoming.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Request('http://router', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

/** The visitor, and the host name that the request is for. The server of the project trusts only this router. */
function senderOf(proxies: TrustedProxies, incoming: IncomingMessage): { sender: Sender; host: string } {
  const peer = incoming.socket.remoteAddress ?? '';
  const header = (name: string): string | undefined => incoming.headersDistinct[name]?.join(', ');
  const { origin, address } = arrivalOf(proxies, { peer, header, url: urlOf(incoming) });
  const { protocol, host, hostname } = new URL(origin);
  return { sender: { address, protocol: protocol.slice(0, -1), host }, host: hostname };
}

/** If a request line has a whole URL, its host must be that of the field. Otherwise two servers might choose differently. */
function urlOf({ url = '', headers: { host = '' } }: IncomingMessage): URL {
  const found = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (
    host === '' ||
    found === null ||
    found.pathname !== '/' ||
    `${found.search}${found.hash}${found.username}${found.password}` !== ''
  ) {
    throw new Refusal('bad_request', 'The request needs one Host.');
  }
  const absoluteUrl = /^https?:\/\//iu.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (absoluteUrl !== null && absoluteUrl.hostname !== found.hostname) throw new Refusal('misdirected_request');
  return found;
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?#]*/iu, '');
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly began: number;
}

/** An error reply in the format of the client's API. */
function refuse({ log }: Pick<RouterServices, 'log'>, { incoming, outgoing, began }: Exchange, error: unknown): void {
  const refusal = refusalOf(error);
  const { type, status, retryAfterSeconds } = refusal;
  const requestId = newId(systemRandom, 'request-id');
  const seconds = (performance.now() - began) / 1000;
  const method = /^[A-Z]{1,10}$/u.test(incoming.method ?? '') ? (incoming.method ?? '') : 'OTHER';
  logRequest(log, { method, pattern: '(router)', status, seconds, requestId, refusal: type });
  if (type === 'internal_server_error') log.error('the router failed', { request_id: requestId });
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  const body = JSON.stringify(refusalBody(refusal, requestId, `http://${incoming.headers.host ?? ''}`));
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...readableBy(incoming.headers.origin),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': retryAfterSeconds }),
    // The rest of the request is not read.
    ...(incoming.complete ? {} : { Connection: 'close' }),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : body);
}

/** Readable by every page, because the reply reveals nothing about a project, and the allowed origins are in the project's file. */
const readableBy = (origin: string | undefined): Readonly<Record<string, string>> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
        Vary: 'Origin',
      };

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return error instanceof NoServer
    ? new Refusal(
        'service_unavailable',
        'The server of this project does not run yet. Please try again in a moment.',
        error.retryAfterSeconds,
      )
    : new Refusal('internal_server_error');
}
