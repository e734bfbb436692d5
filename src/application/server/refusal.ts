import type { CrossOrigin, ForbiddenRequest, SignedOut, SignedOutReason, Unavailable } from './authentication.ts';

/** Every result except `signed-in`. */
export type RefusedAuthentication = SignedOut | ForbiddenRequest | CrossOrigin | Unavailable;

/** The response body of an app's server to a rejected request. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: 'unauthenticated' | 'forbidden' | 'cross_origin' | 'unavailable';
    /** One sentence in English, for developers. */
    readonly message: string;
    /** The problem with the credentials, for status 401. */
    readonly reason?: SignedOutReason;
    /** The missing requirement, for status 403. */
    readonly lacks?: ForbiddenRequest['lacks'];
    /** The header with a foreign origin, for `cross_origin`. */
    readonly header?: CrossOrigin['header'];
    /** The option of `createVerifier` that allows more origins, for `cross_origin`. */
    readonly option?: 'origins';
    /** The resource that could not be read, for status 503. */
    readonly needs?: Unavailable['needs'];
  };
}

const MESSAGES: Readonly<Record<SignedOutReason, string>> = {
  'no-credentials': 'The request has neither a bearer token nor a session cookie.',
  malformed: 'What the request carries is neither a session token nor a session JWT.',
  'untrusted-jwt': 'The JWT is not one of this project, or it was modified.',
  'expired-jwt': 'The JWT has expired.',
  'session-ended': 'The session has ended.',
  'lacks-factor': 'The session lacks a second factor: log in again.',
  ambiguous: 'The cookies are those of several users.',
  'cannot-ask': 'This server accepts session JWTs only.',
  'proof-required': 'The session is bound to a key: the request needs its proof in the header DPoP.',
  'invalid-proof': 'The DPoP proof is not one of the session’s key for this request.',
  'used-proof': 'The DPoP proof was used before.',
};

/**
 * The response to a request that is not signed in or does not meet the requirements: status, headers (RFC 6750, section 3), and a
 * JSON body that names the problem.
 */
export function refusalOf(found: RefusedAuthentication): Refusal {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', vary: VARY };
  switch (found.status) {
    case 'signed-out': {
      const { reason } = found;
      const message = MESSAGES[reason];
      // A request without credentials has no error, so the challenge contains none (RFC 6750, section 3.1).
      const authenticate = reason === 'no-credentials' ? CHALLENGE : challengeOf(reason, message);
      return {
        status: 401,
        headers: { ...headers, 'www-authenticate': authenticate },
        body: { error: 'unauthenticated', reason, message },
      };
    }
    case 'forbidden': {
      const { lacks } = found;
      const message = lackMessage(lacks);
      // RFC 9470, section 3.
      const error = 'reason' in lacks ? 'insufficient_user_authentication' : 'insufficient_scope';
      return {
        status: 403,
        headers: { ...headers, 'www-authenticate': challenge(error, message) },
        body: { error: 'forbidden', lacks, message },
      };
    }
    case 'cross-origin':
      return {
        status: 403,
        headers,
        body: { error: 'cross_origin', header: found.header, option: 'origins', message: crossOriginMessage(found) },
      };
    case 'unavailable': {
      const { needs, retryAfterMs } = found;
      return {
        status: 503,
        headers: { ...headers, 'retry-after': `${Math.ceil(retryAfterMs / 1000)}` },
        body: { error: 'unavailable', needs, message: `The ${needs} could not be read. Try again.` },
      };
    }
  }
}

function lackMessage(lacks: ForbiddenRequest['lacks']): string {
  if ('roles' in lacks) return `The session lacks the roles: ${lacks.roles.join(', ')}`;
  if ('permission' in lacks) {
    return `The session lacks the permission: ${lacks.permission.action} ${lacks.permission.resource_id}`;
  }
  if ('bound' in lacks) return 'The session is not bound to the browser';
  return lacks.reason === 'too-old' ? 'The last login of the session is too old' : 'The session lacks a second factor';
}

const NAMES = { origin: 'Origin', 'sec-fetch-site': 'Sec-Fetch-Site' } as const;

/** A sentence for developers that names the header, and the option that would allow the page. */
export function crossOriginMessage({ header, value, origin }: CrossOrigin): string {
  const got = value === null ? 'has no Origin header' : `has the header ${NAMES[header]}: ${value.slice(0, 200)}`;
  const advice =
    origin === null || origin === 'null'
      ? 'Send a bearer token in the Authorization header.'
      : `If ${origin.slice(0, 200)} is a page of yours, list it in the option origins of createVerifier.`;
  return `A request that changes something with session cookies must come from a page of this server; this one ${got}. ${advice}`;
}

const CHALLENGE = 'Bearer realm="portico"';

/** Role names may contain characters that `error_description` excludes (RFC 6750, section 3). The body contains the full names. */
const challenge = (error: string, description: string): string =>
  `${CHALLENGE}, error="${error}", error_description="${description.replaceAll(/[^ !#-[\]-~]/gu, '?')}"`;

/** A missing or wrong proof has a challenge with a separate scheme (RFC 9449, section 7.1). */
function challengeOf(reason: SignedOutReason, message: string): string {
  if (!reason.endsWith('-proof') && reason !== 'proof-required') return challenge('invalid_token', message);
  const error = reason === 'proof-required' ? 'invalid_token' : 'invalid_dpop_proof';
  return challenge(error, message).replace('Bearer', 'DPoP').concat(', algs="ES256"');
}

/** The request headers that identify the sender. */
const VARY = 'authorization, cookie';

/**
 * The headers that keep a shared cache from serving one user's response to another. An existing `cache-control` is kept.
 *
 * @param read returns the current value of a response header
 */
export function privacyHeaders(read: (name: string) => string | null | undefined): Readonly<Record<string, string>> {
  const varied = (read('vary') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const missing = VARY.split(', ').filter((name) => !varied.some((one) => one === '*' || one.toLowerCase() === name));
  return {
    vary: [...varied, ...missing].join(', '),
    'cache-control': read('cache-control') ?? 'private, no-cache',
  };
}
