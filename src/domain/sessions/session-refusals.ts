import { ENDED_SESSION } from './session.ts';

/**
 * What a refusal of `sessions.authenticate` says of the session. Other refusals say nothing of it: who asked asks again.
 *
 * - `ended`: there is no such session, or no more.
 * - `unproven`: it is bound to a key, which the caller has not.
 * - `lacks-factor`: the policy asks for another factor, which the person proves at the next login.
 */
export const SESSION_REFUSALS: ReadonlyMap<unknown, 'ended' | 'unproven' | 'lacks-factor'> = new Map([
  ...[...ENDED_SESSION].map((type) => [type, 'ended'] as const),
  ['session_proof_required', 'unproven'],
  ['mfa_required', 'lacks-factor'],
  ['mfa_code_challenge_required', 'lacks-factor'],
]);
