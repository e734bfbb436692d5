import type { AuthError } from '../errors.ts';
import {
  beginStep,
  firstTask,
  type FactorFormState,
  type FactorRequest,
  type FactorState,
  type FactorTask,
} from '../sessions/second-factor.ts';
import type { MfaStep } from '../sessions/mfa.ts';
import type { Outcome } from './event.ts';
import type { FactorIntent } from './factor-event.ts';
import type { FlowTable, Transition } from './flow-table.ts';

export type FactorEvent =
  | FactorIntent
  | { readonly type: 'stepKnown'; readonly step: MfaStep }
  /** The session is live and needs no other factor. */
  | { readonly type: 'complete' }
  /** The session cannot prove a second factor again: the person must log in. */
  | { readonly type: 'loginNeeded' }
  | { readonly type: 'unreachable'; readonly error: AuthError }
  /** The request succeeded; `task` is the next form. */
  | { readonly type: 'followed'; readonly task: FactorTask; readonly step?: MfaStep }
  | { readonly type: 'verified'; readonly reply: object }
  /** The person ended a passkey ceremony. */
  | { readonly type: 'cancelled' }
  /** The entered telephone number is not valid; nothing was sent. */
  | { readonly type: 'numberInvalid'; readonly edit: number }
  /** `step`: what the login lacks now, if the project asks for something else than the form does. */
  | { readonly type: 'refused'; readonly error: AuthError; readonly step?: MfaStep };

export type FactorCommand =
  | { readonly do: 'load' }
  | { readonly do: 'request'; readonly request: FactorRequest; readonly form: FactorFormState };

type FactorTransition = Transition<FactorState, FactorCommand>;

/** Refusals after which the intermediate session is no longer valid. */
const ENDS: ReadonlySet<string> = new Set([
  'intermediate_session_not_found',
  'too_many_mfa_attempts',
  // This browser forgets it after ten minutes.
  'user_unauthenticated',
]);

const isOver = (error: AuthError): boolean => error.kind === 'api' && ENDS.has(error.error_type);
const reported = (error: AuthError): readonly Outcome[] => [{ type: 'reported', error }];
const verified = (state: FactorState, { reply }: { readonly reply: object }): FactorTransition => ({
  state,
  outcomes: [{ type: 'factor/verified', reply }],
});

function resting(
  { step, task, trusts, isStepUp }: FactorFormState,
  change: Partial<Pick<FactorFormState, 'task' | 'step' | 'error' | 'failed'>> = {},
): FactorFormState {
  return { step, task, trusts, isStepUp, error: null, failed: null, ...change, at: 'resting' };
}

function onRefusal(state: FactorState, { error }: { readonly error: AuthError }, next: FactorState): FactorTransition {
  const { isStepUp } = state as { readonly isStepUp?: boolean };
  return {
    state: isOver(error) && isStepUp !== true ? { at: 'over', error } : next,
    outcomes: reported(error),
  };
}

/** The form that was refused, or that of a newer step. An error that only another form could show is over with its form. */
function afterRefusal(
  state: Extract<FactorState, { readonly at: 'working' }>,
  error: AuthError,
  step: MfaStep | undefined,
): FactorFormState {
  const failure = { error, failed: state.doing };
  if (step === undefined) return resting(state, failure);
  return resting(state, { step, task: firstTask(step), ...(step.profile !== undefined && failure) });
}

const begin = (state: { readonly isStepUp: boolean }, { step }: { readonly step: MfaStep }): FactorTransition => ({
  state: beginStep(step, state.isStepUp),
});

/** The second factor of a login, and a new proof for a session whose last one is too old. */
export const FACTOR_TABLE: FlowTable<FactorState, FactorEvent, FactorCommand> = {
  arriving: {
    stepKnown: begin,
    loginNeeded: (state) => ({ state, outcomes: [{ type: 'session/gone' }] }),
    complete: (state) => verified(state, { reply: {} }),
    unreachable: (state, event) =>
      onRefusal(state, event, { at: 'failed', error: event.error, isStepUp: state.isStepUp }),
  },
  failed: {
    'factor/retried': ({ isStepUp }) => ({ state: { at: 'arriving', isStepUp }, command: { do: 'load' } }),
  },
  resting: {
    stepKnown: begin,
    'factor/opened': (state, { task }) => ({ state: resting(state, { task }) }),
    'factor/edited': (state) => ({ state: state.error === null ? state : resting(state) }),
    'factor/trusted': (state, { trusts }) => ({ state: { ...state, trusts } }),
    'factor/asked': (state, { request }) => ({
      state: { ...state, at: 'working', doing: request.kind, error: null, failed: null },
      command: { do: 'request', request, form: state },
    }),
  },
  working: {
    // Whoever trusted the browser with the second factor still does in the profile that follows.
    stepKnown: ({ isStepUp, trusts }, { step }) => ({ state: beginStep(step, isStepUp, trusts) }),
    followed: (state, { task, step = state.step }) => ({ state: resting(state, { task, step }) }),
    verified,
    cancelled: (state) => ({ state: resting(state) }),
    numberInvalid: (state, { edit }) => ({ state: resting(state), outcomes: [{ type: 'phone/invalid', edit }] }),
    refused: (state, { error, step }) => onRefusal(state, { error }, afterRefusal(state, error, step)),
  },
  over: {},
  gone: {},
};
