import type { ClockPort } from '#application/ports/index.ts';
import { boundedText } from './bounded-text.ts';
import { TimedFetch, type Answer } from './timed-fetch.ts';

/** The part of `fetch` that a server's requests need. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface FetchLimits {
  /** The time limit for the whole response, including its body. */
  readonly timeoutMs: number;
  /** The maximum length of a body; a longer one rejects. */
  readonly maxBytes: number;
}

function limited({ status, type, headers, body }: Response, maxBytes: number): Answer {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw new Error('the server redirects');
  const text = async (): Promise<string> => {
    const whole = await boundedText(body, maxBytes);
    if (whole === null) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    return whole;
  };
  return { status, headers, text };
}

/**
 * A server's requests through `fetch`, without redirects. It avoids the options that edge runtimes lack, such as cookies and cache modes.
 */
export class FetchTransport extends TimedFetch {
  constructor(fetch: Fetch, clock: ClockPort, { timeoutMs, maxBytes }: FetchLimits) {
    const send = async (url: string, init: RequestInit): Promise<Answer> =>
      limited(await fetch(url, { ...init, redirect: 'manual' }), maxBytes);
    super(send, clock, timeoutMs);
  }
}
