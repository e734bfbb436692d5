import { isRecord, wrongFields } from '../../../src/domain/shape.ts';
import { parseJson } from '../../../src/domain/json.ts';
import type { Endpoint } from '../../../src/application/api/index.ts';
import type { Project } from '../project/project.ts';
import { sameSecret } from '../security/secrets.ts';
import { bodyOf } from './bodies.ts';
import type { AppContext } from './environment.ts';
import { Refusal, SchemaRefusal, type SchemaIssue } from './refusal.ts';

/**
 * The peer's network address; empty in-process. Headers such as X-Forwarded-For are not read: any client can write
 * them.
 */
export function remoteAddress(context: AppContext): string {
  return context.env?.incoming?.socket.remoteAddress ?? '';
}

interface Credentials {
  readonly publicToken: string;
  /** The session token or JWT that came along, or null. */
  readonly session: string | null;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu;

/**
 * `Basic base64(publicToken:sessionToken)` (RFC 7617); a password equal to the public token, or none, means that there
 * is no session. Null when the header is missing or is not that.
 */
function credentialsFrom(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const publicToken = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? '' : text.slice(colon + 1);
  return { publicToken, session: password === '' || password === publicToken ? null : password };
}

/** The session secret of a caller that names this project. These two refusals must not end a client's session. */
export function checkCredentials(project: Project, header: string | undefined): string | null {
  const credentials = credentialsFrom(header);
  if (credentials === null) throw new Refusal('missing_public_token');
  if (!sameSecret(credentials.publicToken, project.public_token)) throw new Refusal('invalid_public_token');
  return credentials.session;
}

/** Ids of this server have 50 characters or so, those of a project file up to 128. */
const KEY_LIMIT = 256;

/** Objects that their routes check field by field. */
const REFUSED_BY_NAME: ReadonlySet<string> = new Set(['name', 'untrusted_metadata']);

/** Fields whose text is looked up as it is. */
const KEY_FIELD = /^(?:id|.*_id|slug|.*_type|locale)$/u;

/**
 * True for text, and JSON of it, that PostgreSQL can hold: it takes neither NUL nor half a surrogate pair. Such text is
 * refused, not changed. A list instead of recursion: 64 kB of JSON nest deeper than the stack.
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

/** What is wrong with the value of a body's field, or null. */
function wrongText(field: string, value: unknown): string | null {
  if (typeof value === 'object' && REFUSED_BY_NAME.has(field)) return null;
  if (!isStorable(value)) return `${field} must be Unicode without NUL`;
  const long = typeof value === 'string' && KEY_FIELD.test(field) && value.length > KEY_LIMIT;
  return long ? `${field} must have at most ${KEY_LIMIT} characters` : null;
}

/**
 * The parameters of a path, decoded. A value that cannot be an id becomes the empty id, so that each route answers with
 * its own refusal for an unknown id, after its own checks.
 */
export function knownParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    value.length <= KEY_LIMIT && isStorable(value) ? value : '',
  ]);
  return Object.fromEntries(entries);
}

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

/**
 * Tokens and ids that pass with `--dev`. This server asks no captcha or telemetry service, so without `--dev` no token
 * passes.
 */
const CAPTCHA = 'test-captcha-';
const TELEMETRY = 'test-dfp-';

/**
 * Holds every call whose body has a `captcha_token` to the project's captcha and device telemetry (specification,
 * section 4). In OBSERVATION telemetry never refuses; in DECISIONING it decides, and asks for a captcha in doubt.
 */
export function checkRisk(
  { project, dev }: { readonly project: Project; readonly dev: boolean },
  endpoint: Pick<Endpoint, 'body'>,
  body: unknown,
): void {
  if (!Object.hasOwn(endpoint.body, 'captcha_token') || !isRecord(body)) return;
  const solved = dev && textOf(body, 'captcha_token').startsWith(CAPTCHA);
  const decides = project.dfp_protected_auth_enabled && project.dfp_protected_auth_mode === 'DECISIONING';
  if (!decides) {
    if (project.captcha_settings.enabled && !solved) throw new Refusal('captcha_required');
    return;
  }
  const id = textOf(body, 'dfp_telemetry_id');
  if (id === '') throw new Refusal('dfp_telemetry_id_required');
  if (!dev || !id.startsWith(TELEMETRY) || id.startsWith(`${TELEMETRY}block`)) throw new Refusal('unauthorized_action');
  if (id.startsWith(`${TELEMETRY}challenge`) && !solved) throw new Refusal('captcha_required');
}

function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}
