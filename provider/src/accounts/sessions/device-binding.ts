import { createPublicKey, verify } from 'node:crypto';
import type { JWK } from 'jose';
import { sql } from 'kysely';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { isRecord } from '#domain/shape.ts';
import { actorIn, audit } from '#provider/base/audit/record.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { unverifiedClaims, unverifiedHeader } from '#provider/base/security/jwts.ts';
import { codeHash, newToken, sameSecret } from '#provider/base/security/secrets.ts';
import { spendOnce, type OneTimeToken } from './proofs/spend-once.ts';
import type { Services } from '../services.ts';
import type { CurrentSession } from './rows/find.ts';
import type { SessionRow } from './tables.ts';

/**
 * How long a proof counts. Verifiers accept a JWT for up to a minute after it expires, so a copied cookie works for at most three and a
 * half minutes.
 */
const PROOF_LIFETIME_MS = 2.5 * MINUTE_MS;
/**
 * The lifetime of the cookie for a browser that has just registered a key. The browser must renew it with the key, so the session is bound
 * soon after the login.
 */
export const TRIAL_SECONDS = 30;
/** The purpose of a challenge: one for a refresh cannot register a key. */
type ChallengeUse = 'registration' | 'refresh';

/**
 * How long a browser has to sign; hardware may need a second. The reply to a proof contains the next challenge, which therefore outlives
 * the proof by a minute: then a page that refreshes every three minutes needs one request. A program that has used the key has six minutes
 * from its last challenge on, including the proof. Longer times would only help such a program.
 */
const CHALLENGE_LIFETIMES_MS: Readonly<Record<ChallengeUse, number>> = {
  registration: 2 * MINUTE_MS,
  refresh: PROOF_LIFETIME_MS + MINUTE_MS,
};
/** The allowed clock difference. A challenge with a later end was made before the clock was set back, and would be valid for too long. */
const TOLERANCE_MS = 30_000;

/** By the type of the key. */
const ALGORITHM_OF: Readonly<Record<string, string>> = { EC: 'ES256', RSA: 'RS256' };
const TYPE = 'dbsc+jwt';
/** The lengths of an RSA modulus in base64url: 2,048 to 4,096 bits. */
const MODULUS = /^[\w-]{342,683}$/u;
const COORDINATE = /^[\w-]{43}$/u;

type ChallengeServices = Pick<Services, 'clock' | 'random' | 'keys'>;

/** A challenge of one session (W3C Device Bound Session Credentials, section 9.2). Nothing is stored until it is answered. */
export function newChallenge({ clock, random, keys }: ChallengeServices, use: ChallengeUse, sessionId: string): string {
  const content = `${Math.ceil((clock.now() + CHALLENGE_LIFETIMES_MS[use]) / 1000)}.${newToken(random)}`;
  return `${content}.${codeHash(keys.codeKey, `bound session\n${use}\n${sessionId}`, content)}`;
}

/** When this server's challenge for the session expires, in seconds. Null for expired challenges and all other texts. */
function endOfChallenge(
  { clock, keys }: Pick<Services, 'clock' | 'keys'>,
  use: ChallengeUse,
  { sessionId, challenge }: { readonly sessionId: string; readonly challenge: string },
): number | null {
  const [end, nonce, mac, ...rest] = challenge.split('.');
  if (end === undefined || nonce === undefined || mac === undefined || rest.length > 0) return null;
  const good = codeHash(keys.codeKey, `bound session\n${use}\n${sessionId}`, `${end}.${nonce}`);
  const ttlMs = Number(end) * 1000 - clock.now();
  const isInTime = ttlMs > 0 && ttlMs <= CHALLENGE_LIFETIMES_MS[use] + TOLERANCE_MS;
  return sameSecret(mac, good) && isInTime ? Number(end) : null;
}

/** The public key in a proof's header or payload, in the form that is stored. Null for private, weak or unknown keys. */
function publicKeyIn(value: unknown): JWK | null {
  if (!isRecord(value) || value['d'] !== undefined) return null;
  const { kty, crv, x, y, n, e } = value;
  const isText = (part: unknown, form: RegExp): part is string => typeof part === 'string' && form.test(part);
  if (kty === 'EC' && crv === 'P-256' && isText(x, COORDINATE) && isText(y, COORDINATE)) return { kty, crv, x, y };
  if (kty === 'RSA' && isText(n, MODULUS) && e === 'AQAB') return { kty, n, e };
  return null;
}

/** A proof as the browser sends it, and the address to which it was sent. */
interface PresentedProof {
  readonly jwt: string;
  readonly audience: string;
}

/**
 * The challenge that the proof answers, if this key signed it; null for anything else (section 9.9). Chromium leaves out the audience and
 * the subject; if present, they must match. The time is in the challenge, so no claim about the browser's clock is used.
 *
 * The signature is checked here instead of by jose: jose uses WebCrypto in another thread, and waiting for that takes ten times as long.
 */
function challengeSignedBy(key: JWK, { jwt, audience }: PresentedProof, subject: string): string | null {
  try {
    const { alg, typ, crit } = unverifiedHeader(jwt);
    const { aud = audience, sub = subject, jti } = unverifiedClaims(jwt);
    const isGood = alg === ALGORITHM_OF[String(key.kty)] && typ === TYPE && crit === undefined;
    const isMeant = aud === audience && sub === subject && typeof jti === 'string';
    return isGood && isMeant && isSignedBy(key, jwt) ? jti : null;
  } catch {
    return null;
  }
}

/** Whether the JWT in compact form has a valid signature: ES256 or RS256, by the type of the key (RFC 7518, sections 3.3 and 3.4). */
function isSignedBy(key: JWK, jwt: string): boolean {
  const parts = compactJwt(jwt);
  if (parts === null) return false;
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
  const signature = Buffer.from(parts.signature, 'base64url');
  return verify('sha256', Buffer.from(parts.signingInput), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
}

/**
 * Whether the proof answers a challenge for this session, even if it is unsigned. A sibling host may have added another session's cookie.
 */
export function isForOffer(
  services: Pick<Services, 'clock' | 'keys'>,
  { session_id: sessionId }: CurrentSession,
  jwt: string,
): boolean {
  try {
    const { jti: challenge = '' } = unverifiedClaims(jwt);
    return endOfChallenge(services, 'registration', { sessionId, challenge }) !== null;
  } catch {
    return false;
  }
}

/**
 * Registers the proof's key for the session. Only the first proof binds the session, because a browser that cannot use the session, or
 * misses the reply, silently drops the key. Undefined if the proof is invalid, its challenge was used, or the session is bound already: a
 * bound session never changes its key.
 */
export async function registerKey(
  services: ChallengeServices & Pick<Services, 'db'>,
  { session_id, generation }: CurrentSession,
  proof: PresentedProof,
): Promise<SessionRow | undefined> {
  const key = keyOf(proof.jwt);
  const challenge = key && challengeSignedBy(key, proof, session_id);
  const once = tokenOf(services, 'registration', session_id, challenge);
  if (key === null || once === null || !(await spendOnce(services.db, once))) return undefined;
  return services.db
    .updateTable('sessions')
    .set({ trial_key: JSON.stringify(key) })
    .where('session_id', '=', session_id)
    .where('generation', '=', generation)
    .where('bound_key', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Binds the session to the key with which its browser has just proved it. Undefined if the session ended, or another key was registered
 * meanwhile.
 */
async function bindSession(
  services: Pick<Services, 'clock' | 'keys' | 'db'>,
  session: CurrentSession,
  { address, request_id }: ProvenFrom,
): Promise<SessionRow | undefined> {
  const { session_id, user_id, generation, trial_key } = session;
  const key = JSON.stringify(trial_key);
  return transaction(services.db, async (tx) => {
    const row = await tx
      .updateTable('sessions')
      .set({ bound_key: key, trial_key: null })
      .where('session_id', '=', session_id)
      .where('generation', '=', generation)
      .where('bound_key', 'is', null)
      .where('trial_key', '=', sql<JWK>`${key}::jsonb`)
      .returningAll()
      .executeTakeFirst();
    // Of two simultaneous proofs, only one binds the session.
    if (row === undefined) return boundBy(tx, session, key);
    const entry = { event: 'session_bound', user_id, actor: actorIn(session), details: { session_id } } as const;
    await audit(services, tx, { ...entry, address, request_id });
    return row;
  });
}

/** The session, if another request has bound it to this key. */
async function boundBy(
  tx: Db,
  { session_id, generation }: CurrentSession,
  key: string,
): Promise<SessionRow | undefined> {
  return tx
    .selectFrom('sessions')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('generation', '=', generation)
    .where('bound_key', '=', sql<JWK>`${key}::jsonb`)
    .executeTakeFirst();
}

/** The request with the proof, as the audit log describes it. */
interface ProvenFrom {
  readonly address: string;
  readonly request_id: string;
}

/** The key of a registration. Chromium writes it into the header, the draft requires the claim `key`. */
function keyOf(jwt: string): JWK | null {
  try {
    const { jwk, alg = '' } = unverifiedHeader(jwt);
    if (jwk !== undefined) return Object.values(ALGORITHM_OF).includes(alg) ? publicKeyIn(jwk) : null;
    return publicKeyIn(unverifiedClaims(jwt)['key']);
  } catch {
    return null;
  }
}

/**
 * Checks a proof, and passes the session with the end of this proof to `reply`, once for each challenge. Null if the session's key did not
 * sign the proof in time; undefined if the session changed meanwhile. The first proof binds the session.
 *
 * For a bound session, the reply is made while the challenge is being used up, because a signature takes as long as a commit. If another
 * request has used the challenge, the reply is discarded.
 */
export async function proveSession<Reply>(
  services: ChallengeServices & Pick<Services, 'db'>,
  session: CurrentSession,
  proof: PresentedProof,
  { from, reply }: { readonly from: ProvenFrom; readonly reply: (current: CurrentSession) => Promise<Reply> },
): Promise<Reply | null | undefined> {
  const { session_id, bound_key, trial_key } = session;
  const key = bound_key ?? trial_key;
  const challenge = key && challengeSignedBy(key, proof, session_id);
  const once = tokenOf(services, 'refresh', session_id, challenge);
  if (once === null) return null;
  // In whole seconds, like the JWT. So the page's own refresh, which follows, gets the same JWT without another signature.
  const until = Math.floor((services.clock.now() + PROOF_LIFETIME_MS) / 1000) * 1000;
  const current = { ...session, proven_until: until };
  if (bound_key !== null) {
    const [isFirst, result] = await Promise.all([spendOnce(services.db, once), reply(current)]);
    return isFirst ? result : null;
  }
  if (!(await spendOnce(services.db, once))) return null;
  const row = await bindSession(services, session, from);
  return row && reply({ ...current, ...row });
}

/** The challenge as a one-time token; null if it is too old, or not for this session and use. */
function tokenOf(
  services: Pick<Services, 'clock' | 'keys'>,
  use: ChallengeUse,
  sessionId: string,
  challenge: string | null,
): OneTimeToken | null {
  const endsAt = challenge === null ? null : endOfChallenge(services, use, { sessionId, challenge });
  return endsAt === null || challenge === null
    ? null
    : { kind: 'bound session', signer: sessionId, id: challenge, endsAt };
}
