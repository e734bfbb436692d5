import { isReferenceGone } from '../db/database-errors.ts';
import { WRONG_PASSWORD } from '#server-rules/passwords.ts';
import { Refusal, SchemaRefusal, type RefusalType } from '#domain/rules/refusal.ts';

/** In the shared rules these refusals are about the client's session. In this API `unauthorized_credentials` is about a project secret. */
const OF_SESSIONS: ReadonlySet<RefusalType> = new Set(['unauthorized_credentials', 'user_unauthenticated']);

/** An error of a route, which is never about the project secret. The user that a call names may have been removed meanwhile. */
export function ofRoute(error: unknown): unknown {
  if (isReferenceGone(error)) return new Refusal('user_not_found');
  // A wrong password has the same type in both APIs, so it stays.
  const isSession = error instanceof Refusal && OF_SESSIONS.has(error.type) && error.message !== WRONG_PASSWORD;
  return inBackendTerms(isSession ? new Refusal('session_not_found') : error);
}

/** Translates an error into the terms of this API. */
export function inBackendTerms(error: unknown): unknown {
  if (error instanceof SchemaRefusal) {
    const details = Object.fromEntries(
      error.body.map(({ dataPath, message }) => [dataPath.join('.') || 'body', message]),
    );
    return new Refusal('bad_request', `${error.body.map(({ message }) => message).join('; ')}.`, undefined, details);
  }
  if (!(error instanceof Refusal) || error.type !== 'too_many_requests') return error;
  return new Refusal('rate_limit_exceeded', undefined, error.retryAfterSeconds, error.details);
}

/** The refusals that also are codes of OAuth (RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6). */
const OAUTH_CODES: ReadonlySet<unknown> = new Set([
  'invalid_scope',
  'invalid_client',
  'login_required',
  'consent_required',
  'unsupported_response_type',
]);
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The fields that OAuth requires in a refusal, in addition to those of this API. */
export function oauthFields(reply: Readonly<Record<string, unknown>>): object {
  const { error_type, error_message, error_url, status_code } = reply;
  const error = OAUTH_CODES.has(error_type) ? error_type : (CODE_OF_STATUS[Number(status_code)] ?? 'invalid_request');
  return { error, error_description: error_message, error_uri: error_url };
}
