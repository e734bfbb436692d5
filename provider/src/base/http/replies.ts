import { API_PREFIX } from '#application/api/index.ts';
import { Refusal, SchemaRefusal, textOf, type RefusalType } from '#domain/rules/refusal.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import type { Report } from '../log/error-log.ts';
import type { AppContext } from './environment.ts';

/** A successful reply of the client's API. */
export function reply(context: AppContext, data: object): Response {
  return context.json({ data: { ...data, status_code: 200, request_id: context.get('requestId') } });
}

const UNREAD: ReadonlySet<RefusalType> = new Set(['request_too_large', 'request_headers_too_large', 'request_timeout']);

/** An error reply of the client's API: not wrapped in `data`, and without a stack. */
export function refuse(context: AppContext, error: unknown): Response {
  const request_id = context.get('requestId');
  if (error instanceof SchemaRefusal) {
    context.set('refusal', 'invalid_schema');
    return json(context, 400, { status_code: 400, request_id, body: error.body });
  }
  const refusal = error instanceof Refusal ? error : unexpected(error);
  context.set('refusal', refusal.type);
  // Clients recognize a required captcha by this text, and because it is not JSON (specification, section 8).
  if (refusal.type === 'captcha_required') return context.text(refusal.message, 403);
  const wait = refusal.retryAfterSeconds ?? (refusal.status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (wait !== undefined) context.header('Retry-After', String(wait));
  // The rest of the body is not read.
  if (UNREAD.has(refusal.type)) context.header('Connection', 'close');
  return json(context, refusal.status, {
    status_code: refusal.status,
    request_id,
    error_type: refusal.type,
    error_message: context.req.path.startsWith(`${API_PREFIX}/`) ? textOf(refusal) : refusal.message,
    error_url: `${context.get('publicOrigin')}/errors/${refusal.type}`,
    ...(refusal.details === undefined ? {} : { error_details: refusal.details }),
  });
}

/** The reply for an exception of a route. Unexpected errors are logged; the caller gets no details. */
export function reported({ report }: { readonly report: Report }, context: AppContext, error: unknown): Response {
  const response = refuse(context, error);
  const expected = error instanceof Refusal || error instanceof SchemaRefusal;
  if (!expected && !isGone(context)) {
    const { method } = context.req;
    const where = `${/^[A-Z]{1,10}$/u.test(method) ? method : '-'} ${context.get('pattern')}`;
    report(error, { where, status: response.status, requestId: context.get('requestId') });
  }
  return response;
}

/** The peer disconnected before its request was complete. That is not an error of this server, and could be used to fill the log. */
function isGone({ env }: AppContext): boolean {
  return env?.incoming?.destroyed === true && !env.incoming.complete;
}

function json(context: AppContext, status: number, body: object): Response {
  context.header('Content-Type', 'application/json');
  return context.newResponse(JSON.stringify(body), status as 400);
}

const RETRY_AFTER_SECONDS = 5;

/** If the database is unreachable, full or stuck, the reply is 503, so that the client tries again. */
function unexpected(error: unknown): Refusal {
  return new Refusal(isDatabaseUnavailable(error) ? 'service_unavailable' : 'internal_server_error');
}
