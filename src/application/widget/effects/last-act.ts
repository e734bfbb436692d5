import { filter, take } from 'rxjs';
import type { EffectContext } from '../widget-store.ts';

/** Answers, from now on, whether this is still the last thing that the person asked for: nothing else was begun since. */
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
