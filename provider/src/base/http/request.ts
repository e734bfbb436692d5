import { parseJson } from '#domain/json.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { sameSecret } from '../security/secrets.ts';
import { bodyOf } from './bodies.ts';

interface Credentials {
  readonly publicToken: string;
  /** The session token or JWT of the request, or null. */
  readonly session: string | null;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu;

/** User name and password of `Basic base64(user:password)` (RFC 7617). Null if the header is missing or malformed. */
export function basicCredentials(
  header: string | undefined,
): { readonly user: string; readonly password: string } | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? { user: text, password: '' } : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `publicToken:sessionToken`. If the password is missing or equals the public token, there is no session. */
function credentialsFrom(header: string | undefined): Credentials | null {
  const basic = basicCredentials(header);
  if (basic === null) return null;
  const { user: publicToken, password } = basic;
  return { publicToken, session: password === '' || password === publicToken ? null : password };
}

/** The session secret of a caller for this project. These two refusals must not end a client's session. */
export function checkCredentials(
  project: { readonly public_token: string },
  header: string | undefined,
): string | null {
  const credentials = credentialsFrom(header);
  if (credentials === null) throw new Refusal('missing_public_token');
  if (!sameSecret(credentials.publicToken, project.public_token)) throw new Refusal('invalid_public_token');
  return credentials.session;
}

/** The request's JSON; undefined without a body. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return undefined;
  if (mediaType(request) !== 'application/json') throw new Refusal('unsupported_media_type');
  const value = parseJson(text);
  if (value === undefined) throw new Refusal('invalid_json');
  return value;
}

/** The media type without parameters, in lower case. */
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

const FORM_LIMIT = 16 * 1024;

/** The fields of a form posted by a page. */
export async function readFields(request: Request): Promise<URLSearchParams> {
  const text = await readText(request);
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new Refusal('unsupported_media_type', 'The body must be application/x-www-form-urlencoded.');
  }
  if (text.length > FORM_LIMIT) throw new Refusal('request_too_large');
  return new URLSearchParams(text);
}
