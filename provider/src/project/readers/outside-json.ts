import { parseJson } from '#domain/json.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { isRecord } from '#domain/shape.ts';
import { OutsideError, outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';

/** Short, because a person or an app is waiting. */
const TIMEOUT_MS = 5_000;

const SHORTEST_MS = 5 * MINUTE_MS;
const USUAL_MS = 60 * MINUTE_MS;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** How long the last content stays in use while the host does not answer. */
export const LEEWAY_MS = 24 * 60 * MINUTE_MS;

/** Why a JSON object of another host was not read. */
export class UnreadJson extends Error {
  /** @param passes whether the problem may be temporary */
  constructor(
    message: string,
    readonly passes: boolean,
  ) {
    super(message);
  }
}

/** A JSON object from another host, and how long it is valid. */
interface OutsideJson {
  readonly json: Readonly<Record<string, unknown>>;
  readonly freshMs: number;
}

interface ReadOptions {
  /** The name of the document, at the beginning of messages. */
  readonly name: string;
  readonly maxBytes: number;
  /** True for an address that may be http and private. */
  readonly allowPrivate: boolean;
  /** Whether the type must be `application/json`. */
  readonly checksType: boolean;
}

/** The lifetime in the reply's `Cache-Control`, within bounds (RFC 9111, section 5.2.2). */
function freshMsOf(headers: Headers): number {
  const cacheControl = headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/iu.test(cacheControl)) return SHORTEST_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/iu.exec(cacheControl)?.[1];
  const maxAgeMs = seconds === undefined ? USUAL_MS : Number(seconds) * 1000;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, maxAgeMs));
}

/**
 * Reads a JSON object from a URL that came from outside. It follows no redirects, and limits the time to five seconds and the size.
 *
 * @throws UnreadJson whose message begins with `name`
 */
export async function readOutsideJson(
  url: URL,
  { name, maxBytes, allowPrivate, checksType }: ReadOptions,
): Promise<OutsideJson> {
  const reasons = {
    timed_out: 'did not answer in time',
    unreachable: 'could not be reached',
    too_large: `is larger than ${maxBytes / 1024} kB`,
    forbidden_address: 'is not at a public address',
  } as const;
  const failure = (reason: string, passes = false): UnreadJson => new UnreadJson(`${name} ${reason}.`, passes);
  const fetch = outsideFetch({ timeoutMs: TIMEOUT_MS, maxBytes, allowPrivate });
  const reply = await fetch(url, { headers: { Accept: 'application/json' } }).catch((error: unknown) => {
    if (!(error instanceof OutsideError)) throw error;
    const passes = error.failure === 'timed_out' || error.failure === 'unreachable';
    throw failure(reasons[error.failure], passes);
  });
  if (reply.status >= 500) throw failure(`was answered with status ${reply.status}`, true);
  // A redirect could lead anywhere.
  if (reply.status !== 200) throw failure(`was answered with status ${reply.status}, not 200`);
  const type = reply.headers.get('content-type') ?? '';
  if (checksType && !/^application\/(?:[\w.-]+\+)?json\b/iu.test(type)) {
    throw failure('is not of the type application/json');
  }
  const json = parseJson(await reply.text());
  if (!isRecord(json) || !isStorable(json)) throw failure('is not a JSON object');
  return { json, freshMs: freshMsOf(reply.headers) };
}
