import { EMPTY, filter, ignoreElements, tap } from 'rxjs';
import { lastMethodOf } from '../../../domain/last-method.ts';
import type { LoginConfig } from '../../../domain/widget-config.ts';
import { LastMethod } from '../../session/last-method.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';

/** Remembers by which way whoever is signed in here came in; forgets it where the host wants nothing remembered. */
export function lastMethodEffect({ storage, keys, sessions }: WidgetParts, config: () => LoginConfig): Effect {
  const lastMethod = new LastMethod(storage, keys);
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
