import { filter, take } from 'rxjs';
import type { EffectContext } from '../widget-store.ts';

/** Returns a function that tells whether the person has started nothing else since this call. */
export function lastAct({ events$, getState }: EffectContext): () => boolean {
  let isLast = true;
  events$
    .pipe(
      filter(({ type }) => type === getState().pending),
      take(1),
    )
    .subscribe(() => {
      isLast = false;
    });
  return () => isLast;
}
