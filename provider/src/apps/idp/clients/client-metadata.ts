import { parsedUrl } from '#domain/rules/redirects.ts';
import { isLoopbackHost, isPrivateUseUri, safeUrl } from '#domain/safe-url.ts';
import { isRecord } from '#domain/shape.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import { jwks, KEYS_URL, MOST_KEYS } from '#provider/project/readers/public-keys.ts';
import { CLIENT_NAME, CLIENT_REDIRECT, SCOPE } from '#provider/project/settings/app-fields.ts';
import { FieldError, text, textThat, type Reader } from '#provider/project/readers/readers.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

/** The metadata that an agent sends or publishes (RFC 7591, section 2), and how it is checked. */

export const AUTHENTICATION_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const LONGEST_URL = 2048;
const MOST = 20;

const wrong = (message: string): OAuthError => new OAuthError('invalid_client_metadata', message);
const wrongRedirect = (message: string): OAuthError => new OAuthError('invalid_redirect_uri', message);

/** A field that is present. Forms send missing fields as an empty string, or null. */
function valueIn(json: Readonly<Record<string, unknown>>, field: string): unknown {
  const value = json[field] ?? undefined;
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

/** Reads an optional field. An invalid value makes the whole metadata invalid. */
function optional<T>(json: Readonly<Record<string, unknown>>, field: string, read: Reader<T>): T | undefined {
  const value = valueIn(json, field);
  if (value === undefined) return undefined;
  try {
    return read(value, field);
  } catch (error) {
    throw error instanceof FieldError ? wrong(`${error.path} must be ${error.must}.`) : error;
  }
}

const LINK = textThat(
  'an https URL of at most 2048 characters',
  (value) => value.length <= LONGEST_URL && safeUrl(value) !== null,
);
const SHORT = textThat('1 to 255 visible characters', (value) => /^[^\p{C}]{1,255}$/u.test(value));

/** A short list of strings, trimmed, without empty ones. */
function listIn(json: Readonly<Record<string, unknown>>, field: string): readonly string[] | undefined {
  const value = valueIn(json, field);
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && value.length <= MOST;
  if (!isList || !value.every((each) => typeof each === 'string' && each.length <= LONGEST_URL)) {
    throw wrong(`${field} must be a list of at most ${MOST} texts.`);
  }
  return (value as readonly string[]).map((each) => each.trim()).filter((each) => each !== '');
}

/** A list of URLs that browsers are sent to: https, a port of this machine, or an app's private scheme (RFC 8252, section 7). */
function addressesIn(json: Readonly<Record<string, unknown>>, field: string): readonly string[] | undefined {
  const uris = listIn(json, field);
  uris?.forEach((uri, index) => {
    try {
      CLIENT_REDIRECT(uri, `${field}[${index}]`);
    } catch (error) {
      throw error instanceof FieldError ? wrongRedirect(`${error.path} must be ${error.must}.`) : error;
    }
  });
  return uris;
}

const isOnDevice = (uri: string): boolean => isPrivateUseUri(uri) || isLoopbackHost(parsedUrl(uri)?.hostname ?? '');

/**
 * The type of the app. Many native apps leave it out, because RFC 7591 does not have it, so their URLs decide. A web app has no private
 * scheme, but libraries call an app with such a scheme a web app (Cursor, the MCP SDK for TypeScript), so it is registered as a native one.
 * OpenID Connect Dynamic Client Registration, section 2, forbids loopback URLs to web apps only if tokens are in the URL (implicit grant).
 * This server has no such grant, so a program of this machine can call itself a web app.
 */
function applicationType(type: string | undefined, redirects: readonly string[]): 'web' | 'native' {
  if (type !== undefined && type !== 'web' && type !== 'native') throw wrong('application_type must be web or native.');
  if (redirects.some(isPrivateUseUri)) return 'native';
  return type ?? (redirects.some(isOnDevice) ? 'native' : 'web');
}

/** The values that this server supports. The reply of a registration lists them (RFC 7591, section 3.2.1). */
function supported(
  json: Readonly<Record<string, unknown>>,
  field: 'grant_types' | 'response_types',
  { needed, available }: { readonly needed: string; readonly available: readonly string[] },
): readonly string[] {
  const values = listIn(json, field) ?? [needed];
  if (!values.includes(needed)) throw wrong(`${field} must contain ${needed}.`);
  return available.filter((each) => values.includes(each));
}

function authenticationIn(
  json: Readonly<Record<string, unknown>>,
  byDefault: AuthenticationMethod,
): Pick<AgentMetadata, 'token_endpoint_auth_method' | 'jwks' | 'jwks_uri'> {
  const methodName = optional(json, 'token_endpoint_auth_method', text)?.trim() ?? byDefault;
  const method = AUTHENTICATION_METHODS.find((each) => each === methodName);
  if (method === undefined) {
    throw wrong(`token_endpoint_auth_method must be one of ${AUTHENTICATION_METHODS.join(', ')}.`);
  }
  const keys = optional(json, 'jwks', jwks);
  const jwks_uri = optional(json, 'jwks_uri', KEYS_URL);
  if (keys !== undefined && jwks_uri !== undefined) throw wrong('jwks and jwks_uri must not be given together.');
  if (method !== 'private_key_jwt') return { token_endpoint_auth_method: method };
  if (jwks_uri !== undefined) return { token_endpoint_auth_method: method, jwks_uri };
  if (keys === undefined || keys.keys.length === 0 || keys.keys.length > MOST_KEYS) {
    throw wrong(`private_key_jwt needs a jwks_uri, or a jwks of 1 to ${MOST_KEYS} keys.`);
  }
  return { token_endpoint_auth_method: method, jwks: keys };
}

/** The scopes that the agent lists. Those that the project does not have are ignored later. */
function scopeIn(json: Readonly<Record<string, unknown>>): string | undefined {
  const scope = optional(json, 'scope', text);
  if (scope === undefined) return undefined;
  const words = scope
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  if (words.length > 100) throw wrong('scope must have at most 100 scopes.');
  words.forEach((word) => optional({ scope: word }, 'scope', SCOPE));
  return words.join(' ');
}

/**
 * Checks the metadata of an agent, and leaves out fields that this server does not use.
 *
 * @param byDefault the authentication method of an agent that does not specify one
 * @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591, section 3.2.2), which names the field
 */
export function checkMetadata(json: unknown, byDefault: AuthenticationMethod): AgentMetadata {
  if (!isRecord(json)) throw wrong('The metadata must be a JSON object.');
  const redirect_uris = addressesIn(json, 'redirect_uris') ?? [];
  if (redirect_uris.length === 0) throw wrongRedirect('redirect_uris must have an address or more.');
  const fields: Record<string, unknown> = {
    client_name: optional(json, 'client_name', CLIENT_NAME),
    post_logout_redirect_uris: addressesIn(json, 'post_logout_redirect_uris'),
    scope: scopeIn(json),
    contacts: listIn(json, 'contacts'),
    software_id: optional(json, 'software_id', SHORT),
    software_version: optional(json, 'software_version', SHORT),
  };
  for (const field of ['logo_uri', 'client_uri', 'tos_uri', 'policy_uri']) fields[field] = optional(json, field, LINK);
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(entries),
    redirect_uris,
    application_type: applicationType(optional(json, 'application_type', text)?.trim(), redirect_uris),
    ...authenticationIn(json, byDefault),
    grant_types: supported(json, 'grant_types', { needed: 'authorization_code', available: GRANT_TYPES }),
    response_types: supported(json, 'response_types', { needed: 'code', available: ['code'] }),
  };
}
