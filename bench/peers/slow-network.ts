/** A slow network, played by the servers: a browser plays one only for a session of DevTools, whose own work then counts in its times. */
import type { RequestListener, ServerResponse } from 'node:http';

export interface SlowNetwork {
  /** From the arrival of a request to its reply, in milliseconds. */
  readonly latency: number;
  /** Of all replies together. */
  readonly bytesPerSecond: number;
}

/** What is sent at once: about a packet. */
const PIECE = 1_400;

interface Transfer {
  readonly response: ServerResponse;
  readonly body: Buffer;
  sent: number;
}

/** Makes listeners answer over one shared network. They must give each body to `end` at once. */
export function paced({ latency, bytesPerSecond }: SlowNetwork): (listener: RequestListener) => RequestListener {
  const queue: Transfer[] = [];
  /** When the last piece will have arrived. */
  let freeAt = 0;
  let isSending = false;

  const sendNext = (): void => {
    const next = queue.shift();
    isSending = next !== undefined;
    if (next === undefined) return;
    const piece = next.body.subarray(next.sent, next.sent + PIECE);
    freeAt = Math.max(freeAt, performance.now()) + (piece.length / bytesPerSecond) * 1_000;
    setTimeout(
      () => {
        next.sent += piece.length;
        if (next.sent < next.body.length) {
          next.response.write(piece);
          queue.push(next);
        } else next.response.end(piece);
        sendNext();
      },
      Math.max(0, freeAt - performance.now()),
    );
  };

  return (listener) => (request, response) => {
    const end = response.end.bind(response);
    // Node's type of `end` has overloads that no listener here uses.
    const later = (body?: Buffer | string): ServerResponse => {
      response.end = end;
      if (body === undefined || body.length === 0) return response.end();
      queue.push({ response, body: Buffer.from(body), sent: 0 });
      if (!isSending) sendNext();
      return response;
    };
    response.end = later as typeof response.end;
    setTimeout(() => listener(request, response), latency);
  };
}
