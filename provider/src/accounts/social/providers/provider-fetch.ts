import { OutsideError, type OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Clock } from '#provider/base/platform.ts';
import { codeSuffix, SocialFailure } from './social-provider.ts';

/** How long a document is used while its provider cannot be reached. */
const KEPT_MS = 24 * 60 * 60_000;
/** There are two documents for each provider, and providers move them now and then. */
const MOST_KEPT = 200;

interface CachedDocument {
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly at: number;
}

/**
 * The fetch for calls to social providers. An outage rejects with a SocialFailure. Public documents (discovery documents and key sets) are
 * cached for the time of an outage.
 */
export function providerFetch(fetch: OutsideFetch, clock: Clock): OutsideFetch {
  const cache = new Map<string, CachedDocument>();

  const ask: OutsideFetch = async (input, init) => {
    const request = new Request(input, init);
    // GitHub refuses requests without a user agent.
    request.headers.set('User-Agent', 'portico-provider');
    const { host } = new URL(request.url);
    const reply = await fetch(request).catch((error: unknown) => {
      throw outage(error, host);
    });
    if (reply.status >= 500 || reply.status === 429) {
      throw new SocialFailure('temporarily_unavailable', `${host} answered ${reply.status}`);
    }
    return reply;
  };

  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== 'GET' || request.headers.has('authorization')) return ask(request);
    try {
      const reply = await ask(request);
      if (reply.status !== 200) return reply;
      const body = await reply.text();
      const entry = { body, headers: [...reply.headers], at: clock.now() };
      cache.delete(request.url);
      cache.set(request.url, entry);
      if (cache.size > MOST_KEPT) cache.delete(cache.keys().next().value ?? '');
      return replyOf(entry);
    } catch (error) {
      const old = cache.get(request.url);
      if (old === undefined || clock.now() - old.at > KEPT_MS) throw error;
      return replyOf(old);
    }
  };
}

function replyOf({ body, headers }: CachedDocument): Response {
  return new Response(body, { headers: headers.map(([name, value]): [string, string] => [name, value]) });
}

function outage(error: unknown, host: string): SocialFailure {
  if (!(error instanceof OutsideError)) {
    return new SocialFailure('temporarily_unavailable', `${host} cannot be reached`, { cause: error });
  }
  switch (error.failure) {
    case 'timed_out':
      return new SocialFailure('temporarily_unavailable', `${host} did not answer in time`);
    case 'unreachable':
      return new SocialFailure('temporarily_unavailable', `${host} cannot be reached`, { cause: error.cause });
    case 'too_large':
      return new SocialFailure('server_error', `the reply of ${host} is too long`);
    case 'forbidden_address':
      return new SocialFailure('server_error', `${host} is not an https server of the internet`);
  }
}

/** The JSON of a successful reply. For other replies, only the error code is reported. */
export async function jsonOf(reply: Response, from: string): Promise<unknown> {
  const json: unknown = await reply.json().catch(() => undefined);
  const error = json !== null && typeof json === 'object' && 'error' in json ? json.error : undefined;
  if (reply.status !== 200 || json === undefined) {
    throw new SocialFailure('server_error', `${from} answered ${reply.status}${codeSuffix(error)}`);
  }
  return json;
}
