import {
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  type SchemaIssue,
  type UnreachableReason,
} from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { retryAfterMs } from '#domain/retry-after.ts';
import { hasShape, isRecord } from '#domain/shape.ts';
import type { Endpoint } from '../api/index.ts';
import type { HttpResponse } from '../ports/index.ts';

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
    retryAfterMs(response.headers),
  );
}

/** The JSON of a successful response: the backend API does not wrap its fields in `data`. Throws like `readReply`. */
export function readJson(response: HttpResponse, url: string): unknown {
  const json = parseJson(response.text);
  if (json === undefined) {
    throw new SDKAPIUnreachableError(reasonOf(response), retryAfterMs(response.headers), url);
  }
  if (response.status > 299) throw refusal(json, response);
  return json;
}

/**
 * Converts every HTTP response to a reply or an error (specification, sections 7 and 8).
 *
 * Returns the reply's `data`. A status up to 299 is a success. A success without the fields that the endpoint requires throws an
 * `SDKAPIUnreachableError` (`invalid-response`).
 */
export function readReply<Reply>(
  endpoint: Endpoint<string, unknown, Reply>,
  response: HttpResponse,
  url: string,
): Reply {
  const json = readJson(response, url);
  const data = isRecord(json) ? json['data'] : undefined;
  if (!hasShape(endpoint.reply, data)) throw new SDKAPIUnreachableError('invalid-response', null, url);
  return data as Reply;
}
