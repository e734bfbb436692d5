import { Refused } from './refused.ts';
import type { ServerState } from './state.ts';

/** Refuses a flow without a challenge where the project requires one. */
export function checkChallenge(state: ServerState, required: string, challenge: string | undefined): void {
  if (challenge === undefined && state.project[required] === true) throw new Refused('pkce_code_challenge_required');
}

/** A flow that began with a challenge ends only with its verifier, and one that began without ends without. */
export async function checkVerifier(
  state: ServerState,
  challenge: string | undefined,
  verifier: string | undefined,
): Promise<void> {
  if (challenge === undefined) {
    if (verifier !== undefined) throw new Refused('pkce_expected_code_challenge');
    return;
  }
  if (verifier === undefined) throw new Refused('pkce_expected_code_verifier');
  if ((await state.challengeOf(verifier)) !== challenge) throw new Refused('pkce_mismatch');
}
