/** The steps of a visitor on the demo page. */
import type { Browser } from './webdriver.ts';
import { ENTER } from './webdriver.ts';

export async function askForCode(webkit: Browser, address: string): Promise<void> {
  await webkit.type('#widget input', `${address}${ENTER}`, 'Email');
  await webkit.see('#widget h1, #widget h2', 'Enter passcode');
}

export async function seeSignedIn(webkit: Browser, address: string): Promise<void> {
  await webkit.see('#account *', 'You are signed in');
  await webkit.see('#account *', address);
}

export async function seeSignedOut(webkit: Browser): Promise<void> {
  await webkit.see('#widget input', 'Email');
}

export async function logOut(webkit: Browser): Promise<void> {
  // A sign-out that overtakes the check of the session leaves that check without an answer.
  await webkit.until('the check of the session', 'return window.__demo?.client.session.getInfo().fromCache === false');
  await webkit.click('button', 'Log out');
  await seeSignedOut(webkit);
}
