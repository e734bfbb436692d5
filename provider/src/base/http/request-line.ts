import type { AnsweredRequest } from '../metrics/metrics.ts';
import type { Log } from '../log/log.ts';

/**
 * Logs that a request was answered: no address, user, path or header. The request id is in the reply's `X-Request-Id` too, so that the
 * log of a proxy, which has addresses, can be joined to it.
 */
export function logRequest(log: Log, { method, pattern, status, seconds, requestId, refusal }: AnsweredRequest): void {
  log.info('request', { method, pattern, status, ms: Math.round(seconds * 1000), request_id: requestId, refusal });
}
