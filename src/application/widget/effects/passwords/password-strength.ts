import { concat, EMPTY, filter, map, merge, Observable, switchMap, takeUntil } from 'rxjs';
import { toAuthError } from '#domain/thrown.ts';
import { strengthFrom } from '#domain/passwords/password-strength.ts';
import type { EventOf, Outcome } from '#domain/screens/event.ts';
import type { ClockPort } from '../../../ports/index.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType, whenReady } from '../attempt.ts';

/** The pause in typing before the request to the server (specification, section 9). */
const DEBOUNCE_MS = 500;

type PasswordEditEvent = EventOf<'password/edited'>;

/**
 * Sends the password in the field to the server after a pause in typing; the browser's own estimate comes immediately. The next edit, or
 * leaving the screen, aborts the request, so that no late answer counts (specification, section 5).
 */
export function strengthEffect({
  passwords,
  passwordStrength,
  clock,
}: Services<'passwords' | 'passwordStrength' | 'clock'>): Effect {
  const estimate = ({ check, email, password }: PasswordEditEvent): Observable<Outcome> =>
    whenReady(() => passwordStrength.estimate(password, email === '' ? [] : [email, ...email.split('@')])).pipe(
      filter((score) => score !== null),
      map((score) => ({ type: 'password/estimated', check, score })),
    );

  const ask = (intent: PasswordEditEvent): Observable<Outcome> =>
    whenReady(async (signal) => {
      const { check, email, password } = intent;
      try {
        const body = email === '' ? { password } : { email, password };
        return {
          type: 'password/checked',
          check,
          strength: strengthFrom(await passwords.strengthCheck(body, signal)),
        };
      } catch (error) {
        return { type: 'failed', asked: intent, error: toAuthError(error) };
      }
    });

  return ({ events$, getState }) =>
    ofType(events$, 'password/edited').pipe(
      switchMap((edited) => {
        const { name } = getState().screen;
        const left$ = events$.pipe(filter(() => getState().screen.name !== name));
        if (edited.password === '') return EMPTY;
        return merge(estimate(edited), concat(rest(clock), ask(edited))).pipe(takeUntil(left$));
      }),
    );
}

/** Completes after the debounce, without a value. */
function rest(clock: ClockPort): Observable<never> {
  return new Observable((subscriber) => clock.after(DEBOUNCE_MS, () => subscriber.complete()));
}
