import {
  catchError,
  EMPTY,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  tap,
  type Observable,
} from 'rxjs';
import { hostEvents } from '#domain/screens/events-for-host.ts';
import { rowOf } from '#domain/screens/events.ts';
import { codeLoad } from '#domain/code-loads.ts';
import { toAuthError } from '#domain/thrown.ts';
import type { Intent, Outcome } from '#domain/screens/event.ts';
import { isRecord } from '#domain/shape.ts';
import type { FactorState } from '#domain/sessions/second-factor.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType } from '../attempt.ts';
import type { FactorServices } from './factor-requests.ts';

/**
 * Converts the outcome of a login that lacks its second factor to one that leaves the screen unchanged. The session store reports the step.
 */
function withoutSuccess(outcome: Outcome): Outcome {
  const reply: unknown = 'reply' in outcome ? outcome.reply : null;
  if (!isRecord(reply) || !isRecord(reply['mfa'])) return outcome;
  const { login } = rowOf(outcome.type);
  return { type: 'factor/first', reports: login ? hostEvents(outcome, 'SecondFactor') : [] };
}

/** A login effect in a project that may require a second factor. */
export const twoStep =
  (effect: Effect): Effect =>
  (context) =>
    effect({ ...context, late: (outcome) => context.late(withoutSuccess(outcome)) }).pipe(map(withoutSuccess));

const GONE: FactorState = { at: 'gone' };

/** Whether the person who leaves the screen continues the login, with another login method as its second factor. */
function goesOn(flow: FactorState): boolean {
  if (!('step' in flow)) return flow.at === 'gone';
  const { factors, enrol, profile } = flow.step;
  return factors.length === 0 && enrol.length === 0 && profile === undefined;
}

/** Shows the second factor of every login of this client that lacks it, and runs its screen. Their code loads with the first such login. */
export function lackingFactorEffect(services: FactorServices, config: () => LoginConfig, isConsent = false): Effect {
  const { sessions } = services;
  return (context) => {
    const { events$, getState } = context;
    const load = () => from(codeLoad(import('./second-factor.ts')));
    const failed = (error: unknown): Observable<Outcome> => {
      const { pending } = getState();
      // Nothing waits for it: its screen reports that it is missing.
      return pending === null
        ? of({ type: 'factor/required', flow: { at: 'arriving', isStepUp: false }, isConsent })
        : of({ type: 'failed', asked: { type: pending } as Intent, error: toAuthError(error) });
    };
    const steps$ = ofType(events$, 'factor/lacking').pipe(
      switchMap(({ step }) =>
        load().pipe(
          mergeMap(({ openStep }) => openStep(services, step, isConsent)),
          catchError(failed),
        ),
      ),
    );
    const isShown = (): boolean => getState().screen.name === 'SecondFactor';
    const shown$ = merge(of(null), ofType(events$, 'factor/required')).pipe(
      filter(isShown),
      switchMap(() =>
        load().pipe(
          // The screen's own part is missing, too, and reports that.
          catchError(() => EMPTY),
          mergeMap(({ factorFlow }) => factorFlow(services, config, context)),
        ),
      ),
    );
    let last: FactorState = GONE;
    const left$ = events$.pipe(
      tap(({ type }) => {
        const { screen } = getState();
        if (type === 'back' && !goesOn(last) && sessions.intermediateToken() !== null) sessions.clear();
        last = screen.name === 'SecondFactor' ? screen.flow : GONE;
      }),
      ignoreElements(),
    );
    return merge(shown$, steps$, left$);
  };
}
