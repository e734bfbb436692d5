import { distinctUntilChanged, ignoreElements, map, skip, startWith, tap } from 'rxjs';
import { stepToKeep } from '../../../domain/screens/step-to-keep.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** Keeps the screen for this tab if it waits for a message, and forgets the previous one. */
export function keepStepEffect({ tabStorage, clock, keys }: Services<'tabStorage' | 'clock' | 'keys'>): Effect {
  return ({ events$, getState }) => {
    const screen = () => getState().screen;
    return events$.pipe(
      map(screen),
      startWith(screen()),
      distinctUntilChanged(),
      skip(1),
      tap((shown) => {
        const step = stepToKeep(shown, clock.now());
        if (step === null) tabStorage.remove(keys.storage('step'));
        else tabStorage.set(keys.storage('step'), step);
      }),
      ignoreElements(),
    );
  };
}
