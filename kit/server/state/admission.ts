import { checkSession, factsOf, isOpen, type Gate, type GateVariant } from '#domain/rules/gates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Caller } from './answers.ts';
import { staleProofOf } from './fresh.ts';
import { lackOf, presentedLogin } from './second-factor.ts';
import { provesSecondFactor, sessionOf } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { IntermediateSession, LiveSession } from './tables.ts';

/** The user who proves or adds a second factor: in their session, or in a login that lacks one. */
export type StepOwner = { readonly user_id: string; readonly session_id: string } & (
  | { readonly session: LiveSession; readonly login: undefined }
  | { readonly session: undefined; readonly login: IntermediateSession }
);

function gateOf({ gate }: Caller, variant: GateVariant | undefined): Gate {
  const found = variant === undefined ? gate : gate[variant];
  if (found === undefined) throw new Error(`The table of gates has no "${variant}" for this call.`);
  return found;
}

function checkLive(state: ServerState, gate: Gate, live: LiveSession): void {
  const needs = factsOf(gate);
  const { user_id, authentication_factors } = live;
  checkSession(gate, live, {
    lacksPolicy: needs.lacksPolicy && lackOf(state, user_id, authentication_factors) !== null,
    lacksSecondFactor: needs.lacksSecondFactor && !provesSecondFactor(state, user_id, live),
    staleProof: needs.staleProof ? staleProofOf(state, live) : null,
  });
}

/**
 * Checks the caller at the gate of the call, or at that of the variant that the call turns out to be. Undefined for a call that reads no
 * session.
 */
export function admit(state: ServerState, caller: Caller, variant?: GateVariant): StepOwner | undefined {
  const gate = gateOf(caller, variant);
  if (isOpen(gate)) return undefined;
  const login = gate.takesStep === true ? presentedLogin(caller.step) : undefined;
  if (login !== undefined) return { user_id: login.user_id, session_id: login.session_id, session: undefined, login };
  if (gate.complete !== 'passes') throw new Refusal(gate.complete);
  const live = sessionOf(state, caller);
  if (live === undefined) {
    const answer = gate[caller.session === null ? 'none' : 'ended'];
    if (answer === 'passes') return undefined;
    throw new Refusal(answer);
  }
  checkLive(state, gate, live);
  return { user_id: live.user_id, session_id: live.session_id, session: live, login: undefined };
}

/** The session or login that passed the gate. */
export function requireOwner(...of: Parameters<typeof admit>): StepOwner {
  const owner = admit(...of);
  if (owner === undefined) throw new Refusal('user_unauthenticated');
  return owner;
}

/** The session that passed the gate. */
export function requireSession(...of: Parameters<typeof admit>): LiveSession {
  const { session } = requireOwner(...of);
  if (session === undefined) throw new Refusal('user_unauthenticated');
  return session;
}

/** The incomplete login that passed the gate. */
export function requireLogin(...of: Parameters<typeof admit>): IntermediateSession {
  const { login } = requireOwner(...of);
  if (login === undefined) throw new Refusal('intermediate_session_not_found');
  return login;
}
