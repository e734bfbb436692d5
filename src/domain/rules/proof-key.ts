import { Refusal } from './refusal.ts';

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
 * The verifier that is to be compared with the flow's challenge, or null where there is neither: a flow that began with
 * a challenge ends only with its verifier, and one that began without ends without (RFC 9700, section 2.1.1). Ask before
 * the token is spent: another browser must not burn the link.
 */
export function verifierFor(challenge: string | null, verifier: string | undefined): string | null {
  if (challenge === null) {
    if (verifier !== undefined) throw new Refusal('pkce_expected_code_challenge');
    return null;
  }
  if (verifier === undefined) throw new Refusal('pkce_expected_code_verifier');
  if (!VERIFIER.test(verifier)) throw new Refusal('pkce_mismatch');
  return verifier;
}
