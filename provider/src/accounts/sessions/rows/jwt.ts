import { createHash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { assuranceOf } from '#domain/rules/authentication-methods.ts';
import { JWT_REPEATED_MS } from '#domain/rules/lifetimes.ts';
import { isActive } from '#server-rules/mfa-policy.ts';
import type { Session } from '#domain/sessions/session.ts';
import { fitsCookie } from '#domain/sessions/cookie-size.ts';
import { PARTIAL, TOKEN_HASH, tokenHashOf } from '#domain/sessions/session-claim.ts';
import { isRecord } from '#domain/shape.ts';
import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { atMostEvery, type Warn } from '#provider/base/warnings.ts';
import { NO_CLAIMS } from '#provider/project/settings/session-claims.ts';
import type { Services } from '../../services.ts';
import { unverifiedClaims, verifyJwt } from '#provider/base/security/jwts.ts';
import { ALGORITHM, type SigningKey } from '#provider/base/security/signing-key-rows.ts';
import { signingKey, verificationKey } from '#provider/base/security/signing-keys.ts';

/** The claim in which backends find the session's data. */
const SESSION_CLAIM = 'https://stytch.com/session';
/** Counts the rotations of the session's token: a JWT from before the last one is invalid. Older JWTs have it as a claim. */
const GENERATION = 'generation';
const LIFETIME_MS = 5 * MINUTE_MS;
/** The allowed difference between the clocks of two processes (RFC 7519, section 4.1.4). */
const TOLERANCE_SECONDS = 30;
const TYPE = 'JWT';

/** In a transaction `db` is the transaction: the embedded database has one connection. */
type JwtServices = Pick<Services, 'db' | 'keys' | 'project' | 'clock' | 'random' | 'warn'>;

const issuer = ({ project }: JwtServices): string => `stytch.com/${project.project_id}`;

/** The content of a JWT: a session, and the generation of its token. */
export interface SessionClaim {
  readonly session_id: string;
  readonly user_id: string;
  readonly generation: number;
  /** When it expires, in milliseconds since 1970. */
  readonly ends_at: number;
}

/** The data of a session JWT: the session's token, and the number of its rotations. */
interface IssuedToken {
  readonly token: string;
  readonly generation: number;
  /** When the proof of a bound session expires, in milliseconds since 1970. The JWT expires with it. */
  readonly provenUntil?: number | undefined;
  /** The thumbprint of the key with which the session's page proves each call. */
  readonly jkt: string | null;
  /** The session's own claims, without those of the project's template. */
  readonly ownClaims: Readonly<Record<string, unknown>>;
}

/** The number of JWTs that a process caches: about ten megabytes. */
const MOST_KEPT = 5_000;

interface KeptJwt {
  readonly jwt: string;
  readonly at: number;
}

const keptJwts = new WeakMap<Services['keys'], Map<string, KeptJwt>>();

/**
 * A signed JWT of the session, valid for five minutes but not longer than the session (RFC 7519, RS256).
 *
 * A JWT of the last half minute is reused if everything that it says of the session, its user, the project and the key is unchanged: the
 * cache key is a hash of all that. So any change of a claim makes a new JWT, and none is returned for a session that the caller has not
 * just read. Its times, including the last use of the session, are those of its signature.
 */
export async function signSession(
  services: JwtServices,
  session: Session,
  { token, generation, provenUntil = Infinity, jkt, ownClaims }: IssuedToken,
): Promise<string> {
  const key = await signingKey(services, 'sessions');
  const now = services.clock.now();
  const expires = Math.min(now + LIFETIME_MS, Date.parse(session.expires_at), provenUntil);
  const { session_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors, roles } = session;
  const { device_bound } = session;
  const binding = device_bound === undefined ? {} : { device_bound };
  const fields = { started_at, expires_at, attributes, authentication_factors, roles, ...binding };
  const token_hash = tokenHashOf(createHash('sha256').update(token).digest());
  const claim = { id: session_id, ...fields, [GENERATION]: generation, [TOKEN_HASH]: token_hash };
  const wire = {
    // RFC 9449, section 6.1.
    ...(jkt !== null && { cnf: { jkt } }),
    iss: issuer(services),
    sub: session.user_id,
    aud: [services.project.project_id],
  };
  const assurance = isActive(services.project.mfa) ? assuranceOf(session) : {};
  const lasting = { ...session.custom_claims, ...assurance, [SESSION_CLAIM]: claim, ...wire };
  const issued = Math.floor(now / 1000);
  const signClaims = async (claims: object, of: object): Promise<string> =>
    signJwt(key, TYPE, {
      ...claims,
      [SESSION_CLAIM]: { ...of, last_accessed_at },
      iat: issued,
      nbf: issued,
      exp: Math.floor(expires / 1000),
    });
  const hasTemplate = services.project.session_claims !== NO_CLAIMS;
  const { jwt: cookie } = services.project.session_cookies.names;
  return repeated(services, JSON.stringify(inOrder([key.kid, lasting, ownClaims, provenUntil])), async () => {
    let jwt = await signClaims(lasting, claim);
    if (fitsCookie(cookie, jwt, hasTemplate ? ATTRIBUTES_BYTES : 0)) return jwt;
    if (hasTemplate) {
      tellOfLongClaims(services);
      // Marked, because an absent claim could mean something to an app: it reads the claims from the API instead.
      jwt = await signClaims({ ...ownClaims, ...assurance, ...wire }, { ...claim, [PARTIAL]: true });
    }
    if (provenUntil === Infinity || fitsCookie(cookie, jwt)) return jwt;
    // The token of a bound session works only with the JWT's cookie, so the JWT must be small enough for the browser to keep.
    const nothing = { attributes: { ip_address: '', user_agent: '' }, authentication_factors: [], roles: [] };
    return signClaims(wire, { ...claim, ...nothing, [PARTIAL]: true });
  });
}

/** Room for `Domain`, `Expires` and the other attributes of the cookie. */
const ATTRIBUTES_BYTES = 256;
const TELL_EVERY_MS = 60 * MINUTE_MS;
const tellers = new WeakMap<Services['keys'], Warn>();

/** Warns at most once an hour, without data of the user. */
function tellOfLongClaims({ keys, clock, warn }: Pick<JwtServices, 'keys' | 'clock' | 'warn'>): void {
  if (warn === undefined) return;
  const tell = tellers.get(keys) ?? atMostEvery(TELL_EVERY_MS, warn, clock);
  tellers.set(keys, tell);
  tell(
    'session_claims: the claims of a user make the session JWT too long for a cookie. It leaves them out, and apps read them from the API: choose shorter values',
  );
}

/** The same value with sorted object keys, because the database orders them differently from the code. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  // Without a prototype, so that a claim named __proto__ is kept.
  const ordered = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) ordered[key] = inOrder(value[key]);
  return ordered;
}

/** The JWT with this content from the last half minute; a new one if there is none, or the clock was set back. */
async function repeated(
  { keys, clock }: Pick<JwtServices, 'keys' | 'clock'>,
  content: string,
  make: () => Promise<string>,
): Promise<string> {
  const cache = keptJwts.get(keys) ?? new Map<string, KeptJwt>();
  keptJwts.set(keys, cache);
  const name = createHash('sha256').update(content).digest('base64');
  const at = clock.now();
  const entry = cache.get(name);
  if (entry !== undefined && at >= entry.at && at - entry.at < JWT_REPEATED_MS) return entry.jwt;
  const jwt = await make();
  // The first entry is the oldest.
  cache.delete(name);
  cache.set(name, { jwt, at });
  for (const oldest of cache.keys()) {
    if (cache.size <= MOST_KEPT) break;
    cache.delete(oldest);
  }
  return jwt;
}

/** Whether to accept an expired JWT, whose session may still be live. Only the app's own server may present one. */
export type ExpiredJwt = 'refused' | 'accepted';

/** Reads a JWT that this server signed. Null for a foreign or changed JWT, and for an expired one unless those are accepted. */
export async function sessionClaimIn(
  services: JwtServices,
  jwt: string,
  expired: ExpiredJwt = 'refused',
): Promise<SessionClaim | null> {
  try {
    const keyOf = ({ kid }: { readonly kid?: string }) => verificationKey(services, 'sessions', kid);
    const { payload } = await verifyJwt(jwt, keyOf, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: issuer(services),
      audience: services.project.project_id,
      currentDate: new Date(expired === 'accepted' ? lastMomentOf(jwt, services.clock.now()) : services.clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    const { [SESSION_CLAIM]: claim } = payload;
    const { sub: user_id, exp = 0 } = payload;
    if (!isRecord(claim) || typeof claim['id'] !== 'string' || typeof user_id !== 'string') return null;
    const generation = claim[GENERATION] ?? payload[GENERATION] ?? 1;
    if (typeof generation !== 'number') return null;
    return { session_id: claim['id'], user_id, generation, ends_at: exp * 1000 };
  } catch (error) {
    // If the key cannot be read, it is unknown whether the JWT is valid, so the error is passed on.
    if (isDatabaseUnavailable(error)) throw error;
    return null;
  }
}

/** When a JWT of this server expires, in seconds since 1970; 0 for an empty text. */
export const endOfJwt = (jwt: string): number => (jwt === '' ? 0 : (unverifiedClaims(jwt).exp ?? 0));

/** The time to check the JWT against: now, or just before it expired. */
function lastMomentOf(jwt: string, now: number): number {
  const { exp } = unverifiedClaims(jwt);
  return exp === undefined ? now : Math.min(now, (exp - 1) * 1000);
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const signing = promisify(sign);

/**
 * A signed JWT in compact form (RFC 7515, section 7.1). The signature is nearly half of the work of a session check, so it is made in the
 * thread pool, and the event loop answers other requests meanwhile. WebCrypto would cost more than it saves.
 */
async function signJwt({ kid, keyObject }: SigningKey, typ: string, claims: object): Promise<string> {
  const signingInput = `${encoded({ alg: ALGORITHM, typ, kid })}.${encoded(claims)}`;
  return `${signingInput}.${(await signing('sha256', Buffer.from(signingInput), keyObject)).toString('base64url')}`;
}
