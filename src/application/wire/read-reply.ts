import type { Endpoint } from '../api/index.ts';
import {
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  type SchemaIssue,
  type UnreachableReason,
} from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { hasShape, isRecord } from '../../domain/shape.ts';
import type { HttpResponse } from '../ports/index.ts';

/** Converts HTTP responses into replies and errors (specification, sections 7 and 8). */

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date that is compared with the response's `Date`. */
function retryAfterMs({ headers }: HttpResponse): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d+$/u.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return wait > 0 ? wait : null;
}

function reasonOf({ headers, text: body }: HttpResponse): UnreachableReason {
  if ((headers['content-type'] ?? '').includes('json')) return 'invalid-json';
  return body.includes('Captcha required') ? 'captcha-required' : 'invalid-response';
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** One step of a path: a name or an index. Other values are not converted, because `String` may throw on an object. */
const step = (value: unknown): string => (typeof value === 'number' ? String(value) : text(value));

function schemaIssues(json: Readonly<Record<string, unknown>>): readonly SchemaIssue[] {
  return ['body', 'params', 'query']
    .flatMap((part) => {
      const issues = json[part];
      return Array.isArray(issues) ? issues.filter(isRecord) : [];
    })
    .map((issue) => ({
      dataPath: Array.isArray(issue['dataPath']) ? issue['dataPath'].map(step) : [],
      message: text(issue['message']),
    }));
}

function refusal(json: unknown, response: HttpResponse): SDKSchemaError | SDKAPIError {
  const fields = isRecord(json) ? json : {};
  if (['body', 'params', 'query'].some((part) => Object.hasOwn(fields, part))) {
    return new SDKSchemaError(schemaIssues(fields));
  }
  const { status_code: status, error_type: type } = fields;
  return new SDKAPIError(
    {
      status_code: typeof status === 'number' ? status : response.status,
      error_type: typeof type === 'string' && type !== '' ? type : 'unknown_error',
      error_message: text(fields['error_message']),
      error_url: text(fields['error_url']),
      request_id: text(fields['request_id']) || undefined,
      error_details: fields['error_details'],
    },
    retryAfterMs(response),
  );
}

/**
 * Returns the reply's `data`. A status up to 299 is a success. A success without the fields that the endpoint requires throws an
 * `SDKAPIUnreachableError` (`invalid-response`).
 */
export function readReply<Reply>(endpoint: Endpoint<string, unknown, Reply>, response: HttpResponse): Reply {
  const json = parseJson(response.text);
  if (json === undefined) {
    throw new SDKAPIUnreachableError(reasonOf(response), retryAfterMs(response));
  }
  if (response.status > 299) throw refusal(json, response);
  const data = isRecord(json) ? json['data'] : undefined;
  if (!hasShape(endpoint.reply, data)) throw new SDKAPIUnreachableError('invalid-response');
  return data as Reply;
}
