import {
  checkSession,
  factsOf,
  isOpen,
  type CallerKind,
  type CallGate,
  type Gate,
  type GateVariant,
  type SessionFacts,
} from '#domain/rules/gates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isReferenceGone } from '#provider/base/db/database-errors.ts';
import type { Services } from '../../services.ts';
import { lockUser, type HeldUser, type LockedUser } from '../../users/lock.ts';
import type { Caller, CurrentSession, PresentedSession } from './current.ts';
import { reread } from '../rows/find.ts';
import { staleProofOf } from '../factors/fresh.ts';
import { lackOf } from '../factors/policy.ts';
import { lacksSecondFactor } from '../factors/second-factor.ts';
import { presentedStep, type PresentedStep } from './step.ts';

type GateServices = Pick<Services, 'clock' | 'project'>;

/** A session that a gate let in. The transaction that changes the account checks the gate again (`holdSession`). */
export type AdmittedSession = CurrentSession & { readonly gate: Gate };

/** A login that lacks a factor, let in by a gate. */
type AdmittedStep = PresentedStep & { readonly gate: Gate };

interface InSession {
  readonly user_id: string;
  readonly session: AdmittedSession;
  readonly step: undefined;
}

interface InStep {
  readonly user_id: string;
  readonly session: undefined;
  readonly step: AdmittedStep;
}

interface ByNobody {
  readonly session: undefined;
  readonly step: undefined;
}

/** Who proves or adds a second factor: a user in their session, or in a login that lacks one. */
export type StepOwner = InSession | InStep;

type Admission = InSession | InStep | ByNobody;

/** The callers that the gate lets in, as the route receives them. */
export type AdmittedBy<G extends Gate> = G[CallerKind] extends 'passes'
  ? unknown
  :
      | (G extends { readonly takesStep: true } ? InStep : never)
      | (G['complete'] extends 'passes' ? InSession : never)
      | (G['none'] extends 'passes' ? ByNobody : never);

const NOBODY: ByNobody = { session: undefined, step: undefined };

const inSession = (session: CurrentSession, gate: Gate): InSession => ({
  user_id: session.user_id,
  session: { ...session, gate },
  step: undefined,
});

/** Lets the caller through the gate, or refuses. Not for use within a transaction. */
async function admit(services: GateServices & Pick<Services, 'db'>, gate: Gate, caller: Caller): Promise<Admission> {
  if (isOpen(gate)) return NOBODY;
  if (gate.takesStep === true) {
    const step = await presentedStep(services, caller);
    if (step !== undefined) return { user_id: step.row.user_id, session: undefined, step: { ...step, gate } };
  }
  if (gate.complete !== 'passes') throw new Refusal(gate.complete);
  const { session: presentedSession } = caller;
  if (gate.none === 'passes' && !presentedSession.isPresented) return NOBODY;
  const found = await presentedSession.findPartial(gate.withUser === true);
  if (found === undefined) {
    if (presentedSession.isPresented && gate.ended === 'passes') return NOBODY;
    throw await endedRefusal(gate, presentedSession);
  }
  const { session } = found;
  const lacksPolicy = gate.lacking !== 'passes' && (await presentedSession.lacks(found.signedIn ?? found));
  checkSession(gate, session, await factsIn(services, services.db, gate, { session, lacksPolicy }));
  return inSession(session, gate);
}

/** Clients get a more precise refusal if the session was only not proved (`PresentedSession.refusal`). */
async function endedRefusal({ ended: outcome }: Gate, presentedSession: PresentedSession): Promise<Refusal> {
  if (outcome === 'passes' || outcome === 'unauthorized_credentials' || !presentedSession.isPresented)
    return presentedSession.refusal();
  return new Refusal(outcome);
}

async function factsIn(
  services: GateServices,
  db: Db,
  gate: Gate,
  { session, lacksPolicy }: { readonly session: CurrentSession; readonly lacksPolicy: boolean },
): Promise<SessionFacts> {
  const needs = factsOf(gate);
  const { user_id } = session;
  return {
    lacksPolicy,
    lacksSecondFactor: needs.lacksSecondFactor && (await lacksSecondFactor(services, db, user_id, session)),
    staleProof: needs.staleProof ? await staleProofOf(services, db, session) : null,
  };
}

/** Checks the gate of a call, then answers it. If the user is removed meanwhile, the caller is signed out. */
export async function throughGate<C extends { readonly caller: Caller }, R>(
  services: GateServices & Pick<Services, 'db'>,
  call: C,
  answer: (call: C & Admission) => Promise<R>,
): Promise<R> {
  const admission = await admit(services, call.caller.gate, call.caller);
  try {
    return await answer({ ...call, ...admission });
  } catch (error) {
    throw admission.session !== undefined && isReferenceGone(error) ? new Refusal('unauthorized_credentials') : error;
  }
}

/** The gate for one variant of the call. */
export function gateFor({ gate }: { readonly gate: CallGate }, variant: GateVariant): Gate {
  const found = gate[variant];
  if (found === undefined) throw new Error(`The table of gates has no "${variant}" for this call.`);
  return found;
}

/** Checks the gate of the variant that the call turns out to be. Not for use within a transaction. */
export async function admitFor(
  services: GateServices & Pick<Services, 'db'>,
  variant: GateVariant,
  caller: Caller,
): Promise<Admission> {
  return admit(services, gateFor(caller, variant), caller);
}

/** Like `admitFor`, if a session or a login that lacks a factor is required. */
export async function requireFor(
  services: GateServices & Pick<Services, 'db'>,
  variant: GateVariant,
  caller: Caller,
): Promise<StepOwner> {
  const admission = await admitFor(services, variant, caller);
  if (admission.session === undefined && admission.step === undefined) throw new Refusal('user_unauthenticated');
  return admission;
}

/** Like `requireFor`, if a session is required. */
export async function requireSessionFor(...of: Parameters<typeof requireFor>): Promise<AdmittedSession> {
  const { session } = await requireFor(...of);
  if (session === undefined) throw new Refusal('user_unauthenticated');
  return session;
}

export interface HeldSession {
  readonly session: CurrentSession;
  readonly user: LockedUser;
}

/**
 * Locks the session's user, reads the session again and checks the gate again, in the transaction that changes the account. So a session
 * that has ended meanwhile, or lacks what the gate requires now, cannot change anything.
 */
export async function holdSession(
  services: GateServices,
  tx: Db,
  { gate, ...current }: AdmittedSession,
): Promise<HeldSession> {
  const user = await lockUser(tx, current.user_id);
  const session = user === undefined ? undefined : await reread(services, tx, current);
  if (user === undefined || session === undefined) throw new Refusal('unauthorized_credentials');
  await checkHeld(services, tx, gate, session);
  return { session, user };
}

/** Checks a gate for a session whose user is locked. */
export async function checkHeld(services: GateServices, tx: Db, gate: Gate, session: CurrentSession): Promise<void> {
  const lacksPolicy = gate.lacking !== 'passes' && (await lackOf(services, tx, session)) !== null;
  checkSession(gate, session, await factsIn(services, tx, gate, { session, lacksPolicy }));
}

/** Locks the user in the current transaction. What it adds belongs to the session that continues or begins. */
export async function holdOwner(
  services: GateServices,
  tx: Db,
  { session, step }: StepOwner,
): Promise<HeldUser & { readonly current: CurrentSession | undefined }> {
  if (step === undefined) {
    const lock = await holdSession(services, tx, session);
    return { ...lock, current: lock.session };
  }
  const { user, row } = await step.secondStep.hold(tx, step.row);
  const { user_id, factors: authentication_factors } = row;
  // As for sessions, the factors proved in the login must be enough for the addition.
  const isAsked = factsOf(step.gate).lacksSecondFactor;
  if (isAsked && (await lacksSecondFactor(services, tx, user_id, { user_id, authentication_factors }))) {
    throw new Refusal('mfa_required');
  }
  return { user, session: { session_id: row.session_id ?? row.new_session_id }, current: undefined };
}
