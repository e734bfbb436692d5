import { filter, map, switchMap, takeUntil } from 'rxjs';
import type { Intent } from '#domain/screens/event.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { ofType } from './attempt.ts';

/** The other requests open a page or a dialog of the browser, which needs a press. */
const NEEDS_NO_PRESS = /^(?:magicLink|otp|phone|password|resetLink)/u;

/**
 * Repeats a request that failed without a network, once there is one. If the person has acted or has changed what was sent, the request is
 * dropped with its error.
 */
export function sendAgainEffect({ browser }: Services<'browser'>): Effect<Intent> {
  return ({ events$, getState }) =>
    ofType(events$, 'failed').pipe(
      filter(
        ({ asked: intent, error }) =>
          'problem' in error && error.problem === 'offline' && NEEDS_NO_PRESS.test(intent.type),
      ),
      switchMap(({ asked: intent, error }) =>
        browser.wakes$.pipe(
          filter(() => browser.isOnline === true),
          map(() => intent),
          takeUntil(events$.pipe(filter(() => getState().error !== error))),
        ),
      ),
    );
}
