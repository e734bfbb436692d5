import type { FactorRequest, FactorState, FactorTask } from '../sessions/second-factor.ts';
import type { MfaStep } from '../sessions/mfa.ts';
import type { HostEvent } from '../widget/host-events.ts';

/** The intents of the second factor's screen. */
export type FactorIntent =
  /** Opens another form. */
  | { readonly type: 'factor/opened'; readonly task: FactorTask }
  | { readonly type: 'factor/asked'; readonly request: FactorRequest }
  /** The person typed into a form whose last submission was refused. */
  | { readonly type: 'factor/edited' }
  | { readonly type: 'factor/trusted'; readonly trusts: boolean }
  /** Loads the step again after a failure. */
  | { readonly type: 'factor/retried' };

export type FactorOutcome =
  /** A login of this client lacks its second factor; the screen for it is about to load. */
  | { readonly type: 'factor/lacking'; readonly step: MfaStep }
  /** The login lacks its second factor. `reports`: the host's events of the first factor. */
  | { readonly type: 'factor/required'; readonly flow: FactorState; readonly isConsent: boolean }
  /** The first factor was proved, but its login is not complete. */
  | { readonly type: 'factor/first'; readonly reports: readonly HostEvent[] }
  /** The new state of the screen. */
  | { readonly type: 'factor/changed'; readonly flow: FactorState }
  | { readonly type: 'factor/verified'; readonly reply: object };
