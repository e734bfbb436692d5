import { filter, map } from 'rxjs';
import { isSigningIn } from '#domain/screens/events.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';

/**
 * Ends a login whose request failed after another tab or widget had signed the user in, for example with the same code. While the request
 * was pending, the session counted as its own.
 */
export function otherLoginEffect({ sessions }: Services<'sessions'>): Effect {
  return ({ events$, getState }) => {
    const isPresent = (): boolean => sessions.state().session !== null;
    let wasPresent = isPresent();
    return events$.pipe(
      filter(({ type }) => {
        const isOver = type === 'failed' && !wasPresent && isPresent();
        if (!isSigningIn(getState())) wasPresent = isPresent();
        return isOver;
      }),
      map(() => ({ type: 'session/appeared' })),
    );
  };
}
