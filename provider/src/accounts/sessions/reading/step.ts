import { Refusal } from '#domain/rules/refusal.ts';
import type { MfaFactor, MfaStep } from '#domain/sessions/mfa.ts';
import type { Services } from '../../services.ts';
import type { Caller } from './current.ts';
import { stepOfRow, type IntermediateSession, type SecondStep } from '../factors/intermediate.ts';

/** A login that lacks a factor, as a request presents it. */
export interface PresentedStep {
  readonly row: IntermediateSession;
  readonly mfa: MfaStep;
  readonly secondStep: SecondStep;
}

/** The login that the request continues; undefined if it presents none. Refuses one that has ended or is another browser's. */
export async function presentedStep(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  { step }: Pick<Caller, 'step'>,
): Promise<PresentedStep | undefined> {
  if (!step.isPresented) return undefined;
  const row = await step.require(services.db);
  return { row, mfa: await stepOfRow(services, services.db, row), secondStep: step };
}

/** Refuses a factor that the step does not list. In a session, every factor can be proved. */
export function requireListed(step: PresentedStep | undefined, list: 'factors' | 'enrol', factor: MfaFactor): void {
  if (step !== undefined && !step.mfa[list].includes(factor)) throw new Refusal('mfa_factor_not_allowed');
}
