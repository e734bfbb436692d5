import { toAuthError } from '#domain/thrown.ts';
import { isRecord } from '#domain/shape.ts';
import { API_PREFIX, sessions } from '../api/index.ts';
import type { RefreshRecord } from '../session/refresh-record.ts';
import type { Services } from '../services.ts';
import { override } from './override.ts';
import { shownError, shownRequestId } from './shown-error.ts';
import { shapeOf, redactedFields, type RedactedValue } from './redacted-value.ts';
import type { RequestRecord, TraceLog } from './trace.ts';

const shownBody = (body: unknown): RedactedValue => (isRecord(body) ? redactedFields(body) : shapeOf(body));

/** Longer than any tab announces a refresh in advance. */
const ANY_MS = 3_600_000;

/**
 * Records every call of the wire. The caller gets the promise of the call itself, so the recording changes neither the time nor the order
 * of results. Returns a function that ends it.
 */
export function watchRequests(
  { wire, clock }: Services<'wire' | 'clock'>,
  refreshes: RefreshRecord,
  log: TraceLog,
  now: () => number,
): () => void {
  return override(wire, 'call', (below) => (endpoint, body, options) => {
    const call: typeof wire.call = below().bind(wire);
    const began = now();
    const isRefresh = endpoint.name === sessions.authenticate.name;
    if (isRefresh && refreshes.beingAskedMs(clock.now(), ANY_MS) !== null) log.add({ kind: 'refresh', by: 'this tab' });
    const add = (result: Pick<RequestRecord, 'status' | 'request_id' | 'error_type' | 'received'>): void => {
      const { name, method, path } = endpoint;
      const ms = Math.round(now() - began);
      const requestBody = shownBody({ ...options?.params, ...(isRecord(body) ? body : {}) });
      log.add({ kind: 'request', call: name, method, path: `${API_PREFIX}${path}`, ms, sent: requestBody, ...result });
    };
    const promise = call(endpoint, body, options);
    const note = async (): Promise<void> => {
      try {
        const reply = await promise;
        const request_id = shownRequestId(isRecord(reply) ? reply['request_id'] : null);
        // The wire's only successful status (specification, section 7).
        add({ status: 200, request_id, error_type: null, received: shownBody(reply) });
      } catch (error) {
        const { kind, status, error_type, request_id } = shownError(toAuthError(error));
        add({ status, request_id, error_type, received: kind });
      }
    };
    // Values that cannot be read, such as a getter that throws, are not recorded.
    note().catch(() => undefined);
    return promise;
  });
}
