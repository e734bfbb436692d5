import type { AuthError } from '#domain/errors.ts';
import { errorType, reason, requestId } from './field-rules.ts';
import { shapeOf, type RedactedValue } from './redacted-value.ts';

/** The displayable part of an error. Its message is omitted, because it may repeat parts of the request. */
export interface ShownError {
  readonly kind: AuthError['kind'];
  readonly status: number | null;
  /** The wire's error type, or the reason for a missing response. */
  readonly error_type: string;
  readonly request_id: string | null;
  readonly [field: string]: RedactedValue;
}

const status = (code: number): number | null => (Number.isInteger(code) && code >= 100 && code <= 599 ? code : null);

export function shownError(error: AuthError): ShownError {
  const { kind } = error;
  switch (error.kind) {
    case 'api':
      return {
        kind,
        status: status(error.status_code),
        error_type: String(errorType(error.error_type) ?? shapeOf(error.error_type)),
        request_id: shownRequestId(error.request_id),
      };
    case 'schema':
      return { kind, status: 400, error_type: 'schema_error', request_id: null };
    case 'unreachable':
      return {
        kind,
        status: null,
        error_type: String(reason(error.reason) ?? shapeOf(error.reason)),
        request_id: null,
      };
    case 'usage':
      return { kind, status: null, error_type: 'usage_error', request_id: null };
  }
}

export function shownRequestId(id: unknown): string | null {
  if (id === undefined || id === null) return null;
  return String(requestId(id) ?? shapeOf(id));
}
