import type { PorticoClient } from 'portico/headless';
import { ADA, PASSCODE } from './ada.ts';

const MARK = 'portico-demo-welcomed';
/** The time in which a visitor looks at the page before the message arrives. */
const LOOK_MS = 1_200;

/**
 * Asks for a passcode to the demo user, so that a visitor sees how messages arrive. Once in a tab; without an answer the inbox stays
 * empty.
 */
export function welcome({ otps }: Pick<PorticoClient, 'otps'>): void {
  if (sessionStorage.getItem(MARK) !== null) return;
  sessionStorage.setItem(MARK, 'yes');
  setTimeout(() => void otps.email.loginOrCreate(ADA, PASSCODE).catch(() => {}), LOOK_MS);
}
