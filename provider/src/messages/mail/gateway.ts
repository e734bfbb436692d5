import { retryAfterMs } from '#domain/retry-after.ts';
import { OutsideError, outsideFetch, type OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Outcome } from '../outbox/carrier.ts';

/**
 * The most bytes that are read of a reply: an id or an error. After an acceptance the message must not be sent again, even if the reply is
 * long.
 */
const MAX_BYTES = 16 * 1024;
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

export interface GatewayOptions {
  /** Whether the gateway may be http, and on this machine or in a private network. */
  readonly allowPrivate: boolean;
  readonly patienceMs?: number;
}

export function gatewayFetch({ allowPrivate, patienceMs = PATIENCE_MS }: GatewayOptions): OutsideFetch {
  return outsideFetch({ allowPrivate, timeoutMs: patienceMs, maxBytes: MAX_BYTES, cut: true });
}

/** Sends a request and reads its outcome. If there is no reply, another attempt is worthwhile. */
export async function exchange(
  send: () => Promise<Response>,
  outcomeOf: (reply: Response) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await outcomeOf(await send());
  } catch (error) {
    const reason = error instanceof OutsideError ? error.failure.replace('_', ' ') : 'no answer in time';
    return { kind: 'retry', reason: `the gateway: ${reason}`, isAway: true };
  }
}

/** Requests another attempt, not before the time in the reply. */
export function later(reply: Response, reason: string): Outcome {
  const wait = retryAfterMs(Object.fromEntries(reply.headers));
  return { kind: 'retry', reason, ...(wait === null ? {} : { afterMs: Math.min(wait, LONGEST_PAUSE_MS) }) };
}
