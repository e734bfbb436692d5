import { unknownOption } from '#domain/widget/option-names.ts';
import type { CookieNames } from '#domain/sessions/request-credentials.ts';
import { ORIGIN_NEEDED } from '#domain/project/endpoints.ts';
import { mistakenId } from '#domain/project/id-kinds.ts';
import { isRecord } from '#domain/shape.ts';
import type { ClockPort, KeysPort, LogPort, TransportPort, UsedProofsPort } from '../ports/index.ts';
import { cookieNames } from '../session/cookie-options.ts';
import { OptionChecks, TIMEOUT_MS, TOLERANCE_SECONDS, withoutSlash, type ShapeOf } from './checked-options.ts';
import type { PagesOfApp } from './cross-origin.ts';

const METHOD = 'createVerifier';

export interface VerifierOptions {
  /** The project whose JWTs are accepted, such as `project-test-…`. */
  readonly projectId: string;
  /**
   * The URL of the API, like the client's `apiUrl`: `http://localhost:4100` for the local provider. It must be https, except on
   * loopback and with `allowHttp`. A value that is not an origin throws.
   */
  readonly apiUrl: string;
  /**
   * `true` accepts `apiUrl` and `jwksUrl` with http on other hosts than this machine, for a network that only your own servers use:
   * `http://portico:4100` in a compose file or a cluster. Anybody who can change traffic in this network can forge sessions.
   */
  readonly allowHttp?: boolean;
  /** The public token, with which the verifier can call the client's API. */
  readonly publicToken?: string;
  /** The project's secret, with which the verifier calls the backend API instead of the client's API. */
  readonly secret?: string;
  /** The names of the cookies, as configured in the client; `false` reads only the `Authorization` header. */
  readonly cookies?: { readonly opaqueTokenCookieName?: string; readonly jwtCookieName?: string } | false;
  /**
   * The origins of pages on other hosts that may send state-changing requests with the session's cookies, such as
   * `https://admin.example.com`. Pages of this server are always allowed.
   */
  readonly origins?: readonly string[];
  /** `false` allows state-changing requests with cookies from pages of any site. Use it only if the app itself rejects forged requests. */
  readonly csrfProtection?: boolean;
  /**
   * The requirements for sessions that are bound to a key of their page (`portico/bound`). `check`: each request needs a proof of the key
   * (RFC 9449), so that a copied JWT is useless. `require`: additionally, unbound sessions are rejected. `ignore`: none. Default: `ignore`.
   */
  readonly boundSessions?: BoundSessions;
  /**
   * The URLs at which pages reach this server: origins such as `https://app.example.com`, with the path that a proxy removes, if any.
   * Proofs contain the URL of their request. Required by `boundSessions`, because the sender controls the header `Host`.
   */
  readonly serverUrls?: readonly string[];
  /** The URL of the keys. Default: `/sdk/v1/sessions/jwks/` and the project id. */
  readonly jwksUrl?: string;
  /** The allowed clock difference between this server and the provider, in seconds: at most 60. Default: 5. */
  readonly clockToleranceSeconds?: number;
  /** The time limit of each request, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** A `fetch` to use instead of the platform's. */
  readonly fetch?: (url: string, init: object) => Promise<unknown>;
  /** Custom adapters. */
  readonly adapters?: {
    readonly transport?: TransportPort;
    readonly clock?: ClockPort;
    readonly keys?: KeysPort;
    readonly log?: LogPort;
    /** Where used proofs are stored. Default: in the memory of this process. Several processes need shared storage. */
    readonly usedProofs?: UsedProofsPort;
  };
}

/** The validated data options, with their defaults. */
export interface CheckedOptions {
  readonly projectId: string;
  readonly publicToken: string | undefined;
  readonly secret: string | undefined;
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly jwksUrl: string;
  readonly cookies: CookieNames;
  readonly pages: PagesOfApp | null;
  readonly clockToleranceSeconds: number;
  readonly timeoutMs: number;
  readonly boundSessions: BoundSessions;
  /** Without trailing slashes. */
  readonly serverUrls: readonly string[];
}

/** How an app's server treats sessions that are bound to a key of their page. */
export type BoundSessions = 'ignore' | 'check' | 'require';
const BOUND_SESSIONS: readonly unknown[] = ['ignore', 'check', 'require'] satisfies readonly BoundSessions[];

const SHAPE = {
  projectId: 'string',
  apiUrl: 'string',
  allowHttp: 'boolean?',
  publicToken: 'string?',
  secret: 'string?',
  origins: 'string[]?',
  csrfProtection: 'boolean?',
  boundSessions: 'string?',
  serverUrls: 'string[]?',
  jwksUrl: 'string?',
  clockToleranceSeconds: 'number?',
  timeoutMs: 'number?',
  adapters: 'object?',
} as const satisfies ShapeOf<VerifierOptions>;
const ADAPTERS = {
  transport: 'object?',
  clock: 'object?',
  keys: 'object?',
  log: 'object?',
  usedProofs: 'object?',
} as const satisfies Record<keyof NonNullable<VerifierOptions['adapters']>, 'object?'>;
type Checks = OptionChecks<VerifierOptions>;
const COOKIE_NAMES: readonly string[] = ['opaqueTokenCookieName', 'jwtCookieName'];
/** The characters that are safe in a header and in a path. */
const PRINTABLE = /^[\w.~-]+$/u;

function namesOf(cookies: VerifierOptions['cookies'], checks: Checks): CookieNames {
  if (cookies === false) return null;
  if (cookies === undefined) return cookieNames({});
  if (!isRecord(cookies)) {
    checks.refuse('cookies', 'cookies must be an object or false');
    return null;
  }
  for (const [name, value] of Object.entries(cookies)) {
    const isName = value === undefined || (typeof value === 'string' && COOKIE.test(value));
    const mistake =
      unknownOption({ [name]: value }, COOKIE_NAMES) ?? (isName ? null : `${name} must be the name of a cookie`);
    if (mistake !== null) checks.refuse(`cookies.${name}`, `cookies.${mistake}`);
  }
  const names = cookieNames(cookies);
  if (names.token === names.jwt) {
    const name = JSON.stringify(names.jwt);
    checks.refuse(
      'cookies.jwtCookieName',
      `cookies.jwtCookieName must not be ${name}, which is the name of opaqueTokenCookieName`,
    );
  }
  return names;
}

function pagesOf(
  { origins = [], csrfProtection = true }: Pick<VerifierOptions, 'origins' | 'csrfProtection'>,
  checks: Checks,
): PagesOfApp | null {
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    checks.refuse('origins', `origins must list origins such as https://admin.example.com, and not ${wrong}`);
  if (!csrfProtection && origins.length > 0)
    checks.refuse('origins', 'origins has no effect when csrfProtection is false');
  return csrfProtection ? { origins } : null;
}

/** The form in which browsers send it in a header. */
function isOrigin(text: string): boolean {
  try {
    const { origin, protocol } = new URL(text);
    return origin === text && /^https?:$/u.test(protocol) && !text.includes('*');
  } catch {
    return false;
  }
}

/** A cookie's name (RFC 6265, section 4.1.1). */
const COOKIE = /^[\w!#$%&'*+.^`|~-]+$/u;

/** Throws an SDKUsageError that names every invalid option. */
export function checkedOptions(input: VerifierOptions): CheckedOptions {
  const checks: Checks = new OptionChecks(METHOD, SHAPE, ADAPTERS, ['cookies', 'fetch'], '{ projectId, apiUrl }');
  const options = checks.read(input);
  for (const field of ['projectId', 'publicToken', 'secret'] as const) {
    const value = options[field];
    if (value === undefined) continue;
    const mistake = PRINTABLE.test(value)
      ? mistakenId(field, value)
      : `${field} must be letters, digits and - . _ ~ alone`;
    if (mistake !== null) checks.refuse(field, mistake);
  }
  const { projectId = '', publicToken, secret, clockToleranceSeconds = 5, timeoutMs = 5_000, jwksUrl } = options;
  const { boundSessions = 'ignore', serverUrls = [], allowHttp = checks.isWrong('allowHttp') } = options;
  if (!BOUND_SESSIONS.includes(boundSessions))
    checks.refuse('boundSessions', 'boundSessions must be ignore, check or require');
  const isBound = boundSessions !== 'ignore' || checks.isWrong('boundSessions');
  if (isBound !== serverUrls.length > 0 && !checks.isWrong('serverUrls')) {
    checks.refuse(
      'boundSessions',
      'boundSessions check or require, and serverUrls such as https://app.example.com, need each other',
    );
  }
  const api = checks.url('apiUrl', options.apiUrl, allowHttp);
  if (api.pathname !== '/') checks.refuse('apiUrl', `apiUrl is ${JSON.stringify(options.apiUrl)}. ${ORIGIN_NEEDED}`);
  const apiUrl = withoutSlash(api);
  const checked: CheckedOptions = {
    projectId,
    publicToken,
    secret,
    apiUrl,
    jwksUrl:
      jwksUrl === undefined
        ? `${apiUrl}/sdk/v1/sessions/jwks/${projectId}`
        : withoutSlash(checks.url('jwksUrl', jwksUrl, allowHttp)),
    cookies: namesOf(options.cookies, checks),
    pages: pagesOf(options, checks),
    clockToleranceSeconds: checks.within('clockToleranceSeconds', clockToleranceSeconds, TOLERANCE_SECONDS, 'seconds'),
    boundSessions,
    serverUrls: serverUrls.map((url, at) => withoutSlash(checks.url(`serverUrls[${at}]`, url, null))),
    timeoutMs: checks.within('timeoutMs', timeoutMs, TIMEOUT_MS, 'milliseconds'),
  };
  checks.end();
  return checked;
}
