import { createHash } from 'node:crypto';
import { Refusal } from '../http/refusal.ts';
import { sameSecret } from './secrets.ts';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/u;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/u;

/** Refuses a challenge that cannot be an S256 one (RFC 7636, section 4.2), and none where the project wants one. */
export function checkChallenge(challenge: string | undefined, required: boolean): void {
  if (challenge === undefined) {
    if (required) throw new Refusal('pkce_code_challenge_required');
    return;
  }
  if (!CHALLENGE.test(challenge)) throw new Refusal('invalid_code_challenge');
}

/**
 * A flow that began with a challenge ends only with its verifier, and one that began without ends without
 * (RFC 9700, section 2.1.1). Call it before the token is spent: another browser must not burn the link.
 */
export function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier !== undefined) throw new Refusal('pkce_expected_code_challenge');
    return;
  }
  if (verifier === undefined) throw new Refusal('pkce_expected_code_verifier');
  if (!VERIFIER.test(verifier)) throw new Refusal('pkce_mismatch');
  const digest = createHash('sha256').update(verifier).digest('base64url');
  if (!sameSecret(digest, challenge)) throw new Refusal('pkce_mismatch');
}
