import { SDKUsageError } from '../../domain/errors.ts';
import type { CookieNames } from '../../domain/request-credentials.ts';
import { safeUrl } from '../../domain/safe-url.ts';
import { isRecord, wrongFields } from '../../domain/shape.ts';
import type { ClockPort, KeysPort, TransportPort } from '../ports/index.ts';
import { cookiePlace } from '../session/cookie-options.ts';

const METHOD = 'createVerifier';

export interface VerifierOptions {
  /** The project whose JWTs are accepted, such as `project-test-…`. */
  readonly projectId: string;
  /** Where the API is: `http://localhost:4100` for the local provider. https, unless it is this machine. */
  readonly apiUrl: string;
  /** Lets the verifier ask the API of the browser's client. */
  readonly publicToken?: string;
  /** The project's secret: lets the verifier ask the backend API, in place of the client's. */
  readonly secret?: string;
  /** The cookies' names, as the client was told them; `false` reads the `Authorization` header alone. */
  readonly cookies?: { readonly opaqueTokenCookieName?: string; readonly jwtCookieName?: string } | false;
  /** Where the keys are, unless at `/sdk/v1/sessions/jwks/` and the project id. */
  readonly jwksUrl?: string;
  /** How many seconds this server's clock may differ from the provider's: 5 unless given, 60 at most. */
  readonly clockToleranceSeconds?: number;
  /** The time limit of each request: 5 seconds unless given. */
  readonly timeoutMs?: number;
  /** In place of the platform's. */
  readonly fetch?: (url: string, init: object) => Promise<unknown>;
  /** Adapters of your own. */
  readonly adapters?: { readonly transport?: TransportPort; readonly clock?: ClockPort; readonly keys?: KeysPort };
}

/** The options that data can say, checked, with their defaults. */
export interface CheckedOptions {
  readonly projectId: string;
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly jwksUrl: string;
  readonly cookies: CookieNames;
  readonly clockToleranceSeconds: number;
  readonly timeoutMs: number;
}

const SHAPE = {
  projectId: 'string',
  apiUrl: 'string',
  publicToken: 'string?',
  secret: 'string?',
  jwksUrl: 'string?',
  clockToleranceSeconds: 'number?',
  timeoutMs: 'number?',
  adapters: 'object?',
} as const;
const NAMES: ReadonlySet<string> = new Set([...Object.keys(SHAPE), 'cookies', 'fetch']);
const COOKIE_NAMES: ReadonlySet<string> = new Set(['opaqueTokenCookieName', 'jwtCookieName']);
/** What may stand in a header, and in a path. */
const PRINTABLE = /^[\w.~-]+$/u;
const MOST_TOLERANCE_SECONDS = 60;

function refuse(details: string): never {
  throw new SDKUsageError(METHOD, details);
}

function urlOf(field: string, text: string): string {
  const safe = safeUrl(text);
  const { search, hash, username, password } = new URL(safe ?? 'https://user@invalid');
  if (`${search}${hash}${username}${password}` !== '') {
    refuse(`${field} must be an https address, or an http address of this machine, with neither ? nor #`);
  }
  return safe?.replace(/\/+$/u, '') ?? '';
}

function within(field: string, value: number, least: number, most: number): number {
  if (value < least || value > most) refuse(`${field} must be from ${least} to ${most}`);
  return value;
}

function namesOf(cookies: VerifierOptions['cookies']): CookieNames {
  if (cookies === false) return null;
  if (cookies === undefined) return cookiePlace({}, '').names;
  if (!isRecord(cookies)) return refuse('cookies must be an object or false');
  const unknown = Object.keys(cookies).find((name) => !COOKIE_NAMES.has(name));
  if (unknown !== undefined) refuse(`cookies.${unknown} is no option`);
  for (const [name, value] of Object.entries(cookies)) {
    if (value !== undefined && (typeof value !== 'string' || !COOKIE.test(value))) {
      refuse(`cookies.${name} must be the name of a cookie`);
    }
  }
  return cookiePlace(cookies, '').names;
}

/** A cookie's name (RFC 6265, section 4.1.1). */
const COOKIE = /^[\w!#$%&'*+.^`|~-]+$/u;

/** Throws an SDKUsageError that names the first wrong option. */
export function checkedOptions(options: VerifierOptions): CheckedOptions {
  if (!isRecord(options)) return refuse('the options must be an object');
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) refuse(`${unknown} is no option`);
  const [wrong] = wrongFields(SHAPE, options);
  if (wrong !== undefined) refuse(wrong.message);
  for (const field of ['projectId', 'publicToken', 'secret'] as const) {
    const value = options[field];
    if (typeof value === 'string' && !PRINTABLE.test(value)) refuse(`${field} has characters that none has`);
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') refuse('fetch must be a function');
  const { projectId, clockToleranceSeconds = 5, timeoutMs = 5_000, jwksUrl } = options;
  const apiUrl = urlOf('apiUrl', options.apiUrl);
  return {
    projectId,
    apiUrl,
    jwksUrl: jwksUrl === undefined ? `${apiUrl}/sdk/v1/sessions/jwks/${projectId}` : urlOf('jwksUrl', jwksUrl),
    cookies: namesOf(options.cookies),
    clockToleranceSeconds: within('clockToleranceSeconds', clockToleranceSeconds, 0, MOST_TOLERANCE_SECONDS),
    timeoutMs: within('timeoutMs', timeoutMs, 1, 600_000),
  };
}
