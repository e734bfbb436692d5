import { base64url } from '../base64url.ts';
import { isAuthError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { hasShape, isRecord, type Shape } from '../shape.ts';

/** A proof key for one flow (RFC 7636): the verifier stays here, the challenge goes to the server. */
export interface ProofKeyPair {
  readonly code_verifier: string;
  readonly code_challenge: string;
}

/** The number of random 32-bit words in a verifier (specification, section 9). */
export const VERIFIER_WORDS = 16;

/** The verifier: 128 hexadecimal characters, 8 for each 32-bit word (RFC 7636, section 4.1 allows 43 to 128). */
export function verifierFrom(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The S256 challenge: base64url of the verifier's SHA-256 (RFC 7636, section 4.2). */
export function challengeFrom(digest: Uint8Array): string {
  return base64url(digest);
}

const PAIR = { code_verifier: 'string', code_challenge: 'string' } as const satisfies Shape;

export function isProofKeyPair(value: unknown): value is ProofKeyPair {
  return hasShape(PAIR, value);
}

/** The pair of an earlier flow: another flow began after it. */
export interface EarlierPair extends ProofKeyPair {
  /** The start of the next flow, in milliseconds since 1970. */
  readonly replaced_at: number;
}

/** The pairs of one kind of flow. `last`: the pair of the latest flow, or null. `earlier`: newest first. */
export interface KeptPairs {
  readonly last: ProofKeyPair | null;
  readonly earlier: readonly EarlierPair[];
}

/** The time that a pair is kept after a later flow has begun (milliseconds), and the maximum number of pairs. */
const KEPT_MS = 600_000;
const KEPT_PAIRS = 5;

const EARLIER = { ...PAIR, replaced_at: 'number' } as const satisfies Shape;
const NONE: KeptPairs = { last: null, earlier: [] };

/**
 * Reads the stored pairs that are not too old. The last pair is at the top level, as in the specification's format of a single
 * pair, so that such a text can be read too. Damaged parts are left out; never throws.
 */
export function parsePairs(text: string | null, now: number): KeptPairs {
  const stored = text === null ? null : parseJson(text);
  if (!isRecord(stored)) return NONE;
  const listed: unknown = Object.hasOwn(stored, 'earlier') ? stored['earlier'] : null;
  const earlier = (Array.isArray(listed) ? (listed as readonly unknown[]) : [])
    .filter((pair): pair is EarlierPair => hasShape(EARLIER, pair))
    // The absolute difference: a clock that was set back must not make a pair younger.
    .filter(({ replaced_at }) => Math.abs(now - replaced_at) < KEPT_MS);
  return { last: isProofKeyPair(stored) ? stored : null, earlier: earlier.slice(0, KEPT_PAIRS - 1) };
}

/** The text to store, or null when there are no pairs. */
export function formatPairs({ last, earlier }: KeptPairs): string | null {
  if (last === null && earlier.length === 0) return null;
  const { code_verifier, code_challenge } = last ?? {};
  return JSON.stringify({ code_verifier, code_challenge, ...(earlier.length > 0 ? { earlier } : {}) });
}

/** Adds the pair of a new flow, or null. Earlier pairs are kept for a while, because their flows may still finish. */
export function withLast({ last, earlier }: KeptPairs, pair: ProofKeyPair | null, now: number): KeptPairs {
  const { code_verifier, code_challenge } = last ?? {};
  const replaced =
    code_verifier !== undefined && code_challenge !== undefined
      ? [{ code_verifier, code_challenge, replaced_at: now }]
      : [];
  return { last: pair, earlier: [...replaced, ...earlier].slice(0, KEPT_PAIRS - 1) };
}

/** Removes the pair of a finished flow. */
export function withoutVerifier({ last, earlier }: KeptPairs, verifier: string): KeptPairs {
  return {
    last: last?.code_verifier === verifier ? null : last,
    earlier: earlier.filter(({ code_verifier }) => code_verifier !== verifier),
  };
}

/** True when an error mentions PKCE: another stored proof key may be the right one (specification, section 4). */
export function mentionsPkce(error: unknown): boolean {
  if (!isAuthError(error) || error.kind !== 'api') return false;
  return /pkce/iu.test(`${error.error_type} ${error.error_message}`);
}

/** True when an error says that the flow began without a challenge, so it must be completed without a verifier. */
export function beganWithoutChallenge(error: unknown): boolean {
  return isAuthError(error) && error.kind === 'api' && error.error_type === 'pkce_expected_code_challenge';
}
