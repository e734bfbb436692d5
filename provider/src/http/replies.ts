import { sqlState } from '../db/transaction.ts';
import type { AppContext } from './environment.ts';
import { Refusal, SchemaRefusal } from './refusal.ts';

/** What the wire answers when all is well. */
export function reply(context: AppContext, data: object): Response {
  return context.json({ data: { ...data, status_code: 200, request_id: context.get('requestId') } });
}

/** What the wire answers otherwise: not wrapped, never a stack. */
export function refuse(context: AppContext, thrown: unknown): Response {
  const request_id = context.get('requestId');
  if (thrown instanceof SchemaRefusal) {
    return json(context, 400, { status_code: 400, request_id, body: thrown.body });
  }
  const refusal = thrown instanceof Refusal ? thrown : unexpected(thrown);
  // What a client takes as a wish for a captcha is this text, and that it is not JSON (specification, section 8).
  if (refusal.type === 'captcha_required') return context.text(refusal.message, 403);
  if (refusal.retryAfterSeconds !== undefined) context.header('Retry-After', String(refusal.retryAfterSeconds));
  // The rest of the body is not read.
  if (refusal.type === 'request_too_large' || refusal.type === 'request_timeout') context.header('Connection', 'close');
  return json(context, refusal.status, {
    status_code: refusal.status,
    request_id,
    error_type: refusal.type,
    error_message: refusal.message,
    error_url: `${new URL(context.req.url).origin}/errors/${refusal.type}`,
  });
}

function json(context: AppContext, status: number, body: object): Response {
  context.header('Content-Type', 'application/json');
  return context.newResponse(JSON.stringify(body), status as 400);
}

/** No connection, no room, or shutting down (PostgreSQL's classes 08, 53 and 57): worth another try later. */
function unexpected(thrown: unknown): Refusal {
  const busy = /^(?:08|53|57)/u.test(sqlState(thrown)) || /^E[A-Z]+$/u.test(sqlState(thrown));
  return busy ? new Refusal('service_unavailable', undefined, 5) : new Refusal('internal_server_error');
}
