import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { MfaFactor, MfaStep } from '../../../../src/domain/sessions/mfa.ts';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';
import type { HeldUser } from '../users/lock.ts';
import { holdSession, type Caller, type CurrentSession } from './current.ts';
import { stepOfRow, type IntermediateSession, type SecondStep } from './intermediate.ts';

/** A login that lacks a factor, as a request presents it. */
export interface PresentedStep {
  readonly row: IntermediateSession;
  readonly mfa: MfaStep;
  readonly presented: SecondStep;
}

/** Who proves or adds a second factor: a user in their session, or in a login that lacks one. */
export type StepOwner = { readonly user_id: string } & (
  | { readonly session: CurrentSession; readonly step: undefined }
  | { readonly session: undefined; readonly step: PresentedStep }
);

/** The login that the request goes on with; undefined when it presents none. Refuses one that is over or another browser's. */
export async function presentedStep(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  { step }: Pick<Caller, 'step'>,
): Promise<PresentedStep | undefined> {
  if (!step.isPresented) return undefined;
  const row = await step.require(services.db);
  return { row, mfa: await stepOfRow(services, services.db, row), presented: step };
}

/** Like `presentedStep`; refuses when there is none. */
export async function requireStep(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  caller: Pick<Caller, 'step'>,
): Promise<PresentedStep> {
  const step = await presentedStep(services, caller);
  if (step === undefined) throw new Refusal('intermediate_session_not_found');
  return step;
}

/** Whose second factor a call is about: that of the login that lacks one, else that of the session, which may lack one as well. */
export async function stepOwner(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  caller: Caller,
): Promise<StepOwner> {
  const step = await presentedStep(services, caller);
  if (step !== undefined) return { user_id: step.row.user_id, session: undefined, step };
  const { session } = await caller.session.requirePartial();
  return { user_id: session.user_id, session, step: undefined };
}

/** Refuses a factor that the step does not list. In a session every factor can be proved. */
export function requireListed(step: PresentedStep | undefined, list: 'factors' | 'enrol', factor: MfaFactor): void {
  if (step !== undefined && !step.mfa[list].includes(factor)) throw new Refusal('mfa_factor_not_allowed');
}

/** Locks the user in the transaction that goes on. What is added belongs to the session that goes on or begins. */
export async function holdOwner(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { session, step }: StepOwner,
): Promise<HeldUser & { readonly current: CurrentSession | undefined }> {
  if (step === undefined) {
    const held = await holdSession(services, tx, session);
    return { ...held, current: held.session };
  }
  const { user, row } = await step.presented.hold(tx, step.row);
  return { user, session: { session_id: row.session_id ?? row.new_session_id }, current: undefined };
}
