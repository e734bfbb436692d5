import { base64url } from './encoding.ts';
import { isAuthError } from './errors.ts';
import { hasShape, type Shape } from './shape.ts';

/** A proof key for one flow (RFC 7636): the verifier stays here, the challenge goes to the server. */
export interface ProofKeyPair {
  readonly code_verifier: string;
  readonly code_challenge: string;
}

/** How many random 32-bit words make a verifier (specification, section 9). */
export const VERIFIER_WORDS = 16;

/** 128 hexadecimal characters: every word keeps all of its 32 bits (RFC 7636, section 4.1 allows 43 to 128). */
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

/** True when a refusal speaks of PKCE: another proof key may be the right one (specification, section 4). */
export function mentionsPkce(error: unknown): boolean {
  if (!isAuthError(error) || error.kind !== 'api') return false;
  return /pkce/iu.test(`${error.error_type} ${error.error_message}`);
}
