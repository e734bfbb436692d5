import { distinctUntilChanged, ignoreElements, map, skip, startWith, tap } from 'rxjs';
import { isOffered, keptScreen } from '#domain/screens/kept-step.ts';
import { stepToKeep } from '#domain/screens/step-to-keep.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** Stores the screen for this tab if it waits for a message, and deletes the previous one, unless it belongs to another page's login. */
export function keepStepEffect(
  { tabStorage, clock, keys }: Services<'tabStorage' | 'clock' | 'keys'>,
  config: () => LoginConfig,
): Effect {
  const forget = (): void => {
    const screen = keptScreen(tabStorage.get(keys.storage('step')), clock.now());
    if (screen === null || isOffered(screen, config())) tabStorage.remove(keys.storage('step'));
  };
  return ({ events$, getState }) => {
    const screen = () => getState().screen;
    return events$.pipe(
      map(screen),
      startWith(screen()),
      distinctUntilChanged(),
      skip(1),
      tap((current) => {
        const step = stepToKeep(current, clock.now());
        if (step === null) forget();
        else tabStorage.set(keys.storage('step'), step);
      }),
      ignoreElements(),
    );
  };
}
