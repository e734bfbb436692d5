import { WAITING, type KeptStep } from './kept-step.ts';
import { sentOtpOf, type Screen } from './screen.ts';

/** How long a screen that waits for an emailed link is stored, in milliseconds: the default lifetime of a link. */
const LINK_MS = 30 * 60_000;

const isWaiting = (screen: Screen): boolean =>
  WAITING.has(screen.name) &&
  (screen.name !== 'PasswordCreateOrLogin' || ('message' in screen && screen.message !== null));

/** The data that a reload needs to return to a screen; null for a screen that waits for no message. */
export function stepToKeep(screen: Screen, now: number): string | null {
  if (!isWaiting(screen)) return null;
  const step: KeptStep = { screen, until: sentOtpOf(screen)?.expiresAt ?? now + LINK_MS };
  return JSON.stringify(step);
}
