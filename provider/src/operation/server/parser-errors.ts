import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEADER_LIMIT } from '#provider/base/http/hygiene.ts';
import { atMostEvery, type Warn } from '#provider/base/warnings.ts';

/** The app refuses headers of half this size, with a reply that pages can read. */
export const PARSER_LIMIT = 2 * HEADER_LIMIT;
const WARN_EVERY_MS = 60_000;

/** Node's own replies, which contain nothing of the request. */
const REPLIES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers requests that the HTTP parser refuses. Logs those with long headers, because the app never sees them. */
export class ParserErrors {
  private readonly responses = new WeakMap<Socket, ServerResponse>();
  private readonly warn: Warn;

  constructor(warn: Warn) {
    this.warn = atMostEvery(WARN_EVERY_MS, warn);
  }

  follow(response: ServerResponse): void {
    if (response.socket !== null) this.responses.set(response.socket, response);
  }

  answer({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    if (code === 'HPE_HEADER_OVERFLOW') {
      this.warn(`a request was refused: its address and headers have more than ${PARSER_LIMIT / 1024} kB.`);
    }
    const before = this.responses.get(socket);
    const isWithinResponse = before?.headersSent === true && !before.writableFinished;
    if (socket.writable && !isWithinResponse && code !== 'ECONNRESET') {
      socket.write(`HTTP/1.1 ${REPLIES[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
    }
    socket.destroy();
  }
}
