import { ENDED_SESSION } from './session.ts';

/**
 * The meaning of a refused `sessions.authenticate` for the session. Other refusals mean nothing for it: the caller can try again.
 *
 * - `ended`: the session does not exist, or no longer exists.
 * - `unproven`: it is bound to a key that the caller does not have.
 * - `lacks-factor`: the policy requires another factor, which the person proves at the next login.
 */
export const SESSION_REFUSALS: ReadonlyMap<unknown, 'ended' | 'unproven' | 'lacks-factor'> = new Map([
  ...[...ENDED_SESSION].map((type) => [type, 'ended'] as const),
  ['session_proof_required', 'unproven'],
  ['mfa_required', 'lacks-factor'],
  ['mfa_code_challenge_required', 'lacks-factor'],
]);
