import { distinctUntilChanged, ignoreElements, map, skip, startWith, tap } from 'rxjs';
import { isOffered, keptScreen, WAITING, type KeptStep } from '#domain/screens/kept-step.ts';
import { sentOtpOf, type Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** How long a screen that waits for an emailed link is stored, in milliseconds: the default lifetime of a link. */
const LINK_MS = 30 * 60_000;

const isWaiting = (screen: Screen): boolean =>
  WAITING.has(screen.name) &&
  (screen.name !== 'PasswordCreateOrLogin' || ('message' in screen && screen.message !== null));

/** The data that a reload needs to return to a screen; null for a screen that waits for no message. */
function stepToKeep(screen: Screen, now: number): string | null {
  if (!isWaiting(screen)) return null;
  const step: KeptStep = { screen, until: sentOtpOf(screen)?.expiresAt ?? now + LINK_MS };
  return JSON.stringify(step);
}

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
