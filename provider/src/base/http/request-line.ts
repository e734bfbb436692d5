import type { AnsweredRequest } from '../metrics/metrics.ts';
import type { Log } from '../log/log.ts';

/**
 * Logs a line for each answered request, without address, user, path and header. The request id is also in the reply's `X-Request-Id`, so
 * that the log of a proxy, which has addresses, can be matched.
 */
export function logRequest(log: Log, { method, pattern, status, seconds, requestId, refusal }: AnsweredRequest): void {
  log.info('request', { method, pattern, status, ms: Math.round(seconds * 1000), request_id: requestId, refusal });
}
