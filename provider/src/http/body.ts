import { isRecord, wrongFields } from '../../../src/domain/shape.ts';
import { parseJson } from '../../../src/domain/json.ts';
import type { Endpoint } from '../../../src/application/api/index.ts';
import { bodyOf } from './bodies.ts';
import { wrongText } from './keys.ts';
import { Refusal, SchemaRefusal, type SchemaIssue } from './refusal.ts';

/** A telemetry batch holds no more (specification, section 9). */
const LIST_LIMIT = 15;

/** The request's JSON, undefined when there is no body. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return undefined;
  if (mediaType(request) !== 'application/json') throw new Refusal('unsupported_media_type');
  const value = parseJson(text);
  if (value === undefined) throw new Refusal('invalid_json');
  return value;
}

/** Without parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The body, which must be short, not compressed, and UTF-8. */
export async function readText(request: Request): Promise<string> {
  const bytes = await bodyOf(request);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid_json');
  }
}

/** The fields that the endpoint knows, checked against its shape; what it does not know is dropped, null is absent. */
export function checkBody(endpoint: Pick<Endpoint, 'body' | 'list'>, json: unknown): unknown {
  if (!endpoint.list) return checkRecord(endpoint, json ?? {}, []);
  if (!Array.isArray(json)) throw wrong([], 'body must be an array of objects');
  if (json.length > LIST_LIMIT) throw wrong([], `body must hold at most ${LIST_LIMIT} objects`);
  return json.map((item: unknown, index) => checkRecord(endpoint, item, [String(index)]));
}

function checkRecord({ body }: Pick<Endpoint, 'body'>, json: unknown, at: readonly string[]): object {
  if (!isRecord(json)) throw wrong(at, `${at[0] ?? 'body'} must be an object`);
  const issues: SchemaIssue[] = wrongFields(body, json).map(({ field, message }) => ({
    dataPath: [...at, field],
    message,
  }));
  const known: Record<string, unknown> = {};
  for (const field of Object.keys(body)) {
    const value = Object.hasOwn(json, field) ? json[field] : undefined;
    if (value === undefined || value === null) continue;
    const message = wrongText(field, value);
    if (message !== null) issues.push({ dataPath: [...at, field], message });
    known[field] = value;
  }
  if (issues.length > 0) throw new SchemaRefusal(issues);
  return known;
}

function wrong(dataPath: readonly string[], message: string): SchemaRefusal {
  return new SchemaRefusal([{ dataPath, message }]);
}
