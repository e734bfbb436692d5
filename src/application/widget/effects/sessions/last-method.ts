import { EMPTY, filter, ignoreElements, tap } from 'rxjs';
import { lastMethodOf } from '#domain/sessions/last-method.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';

/** Stores how the signed-in user logged in, or removes the entry if the host has disabled this. */
export function lastMethodEffect(
  { sessions, lastMethod }: Services<'sessions' | 'lastMethod'>,
  config: () => LoginConfig,
): Effect {
  return () => {
    if (config().rememberLastMethod === false) {
      lastMethod.forget();
      return EMPTY;
    }
    return sessions.session$.pipe(
      filter((session) => session !== null),
      tap((session) => {
        const method = config().rememberLastMethod === false ? null : lastMethodOf(session);
        if (method !== null) lastMethod.remember(method);
      }),
      ignoreElements(),
    );
  };
}
