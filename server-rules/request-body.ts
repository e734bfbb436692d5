import { isRecord, wrongFields, type Shape } from '#domain/shape.ts';
import type { SchemaIssue } from '#domain/errors.ts';
import { SchemaRefusal } from '#domain/rules/refusal.ts';

/** The maximum size of a telemetry batch (specification, section 9). */
const LIST_LIMIT = 15;

/** An endpoint's description of its body. */
interface BodyDescription {
  readonly body: Shape;
  readonly list: boolean;
}

/** The fields of the endpoint, checked against its shape. Unknown fields are dropped, and null counts as absent. */
export function checkBody(endpoint: BodyDescription, json: unknown): unknown {
  if (!endpoint.list) return checkRecord(endpoint, json ?? {}, []);
  if (!Array.isArray(json)) throw wrong([], 'body must be an array of objects');
  if (json.length > LIST_LIMIT) throw wrong([], `body must hold at most ${LIST_LIMIT} objects`);
  return json.map((item: unknown, index) => checkRecord(endpoint, item, [String(index)]));
}

function checkRecord({ body }: Pick<BodyDescription, 'body'>, json: unknown, at: readonly string[]): object {
  if (!isRecord(json)) throw wrong(at, `${at[0] ?? 'body'} must be an object`);
  const issues: SchemaIssue[] = wrongFields(body, json).map(({ field, message }) => ({
    dataPath: [...at, field],
    message,
  }));
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(body)) {
    const value = Object.hasOwn(json, field) ? json[field] : undefined;
    if (value === undefined || value === null) continue;
    const message = wrongText(field, value);
    if (message !== null) issues.push({ dataPath: [...at, field], message });
    fields[field] = value;
  }
  if (issues.length > 0) throw new SchemaRefusal(issues);
  return fields;
}

function wrong(dataPath: readonly string[], message: string): SchemaRefusal {
  return new SchemaRefusal([{ dataPath, message }]);
}

/** The maximum length of an id: this server's ids have about 50 characters, those of a project file up to 128. */
const KEY_LIMIT = 256;

/** Objects that their routes check field by field. */
const REFUSED_BY_NAME: ReadonlySet<string> = new Set(['name', 'untrusted_metadata']);

/** Fields whose text is looked up unchanged. */
const KEY_FIELD = /^(?:id|.*_id|slug|.*_type|locale)$/u;

/**
 * True for text, or JSON with text, that PostgreSQL can store: without NUL and lone surrogates. Other text is rejected instead of
 * changed. The function uses a list instead of recursion, because 64 kB of JSON can be nested deeper than the stack.
 */
export function isStorable(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && /\0|\p{Surrogate}/u.test(next)) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) open.push(name, inner);
  }
  return true;
}

/** The first `length` UTF-16 units of a text. Never ends with half of a character, which PostgreSQL cannot store as JSON. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');

/** The problem with the value of a body's field, or null. */
function wrongText(field: string, value: unknown): string | null {
  if (typeof value === 'object' && REFUSED_BY_NAME.has(field)) return null;
  if (!isStorable(value)) return `${field} must be Unicode without NUL`;
  const long = typeof value === 'string' && KEY_FIELD.test(field) && value.length > KEY_LIMIT;
  return long ? `${field} must have at most ${KEY_LIMIT} characters` : null;
}

/**
 * The parameters of a path, decoded. A value that cannot be an id becomes the empty id, so that each route responds with its error
 * for an unknown id, after its other checks.
 */
export function knownParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    value.length <= KEY_LIMIT && isStorable(value) ? value : '',
  ]);
  return Object.fromEntries(entries);
}
