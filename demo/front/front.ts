import type { PorticoClient } from 'portico/headless';
import type { Address } from '../parts/address.ts';
import type { DemoConfig } from '../parts/config.ts';
import { copyOnPress } from '../parts/copy.ts';
import { part } from '../parts/dom.ts';
import { signInAsAda } from './ada.ts';
import { showThemes } from './dots.ts';

/** Starts the interactive parts of the front page around the widget. */
export function startFront(client: PorticoClient, server: DemoConfig, address: Address): void {
  showThemes(part('look'), address);

  const command = part('install');
  command.textContent = `npm install ${location.origin}/portico.tgz`;
  copyOnPress(part('copy-install'), part('install-said'), () => command.textContent ?? '');

  const ada = part('ada');
  const said = part('ada-said');
  const account = part('account-link');
  const setBusy = (isBusy: boolean) => ada.setAttribute('aria-disabled', String(isBusy));
  const signIn = async () => {
    setBusy(true);
    said.classList.remove('error');
    said.textContent = 'Asking for a passcode, and reading it from the inbox…';
    try {
      await signInAsAda(client, server);
      said.textContent = 'Signed in with the passcode from the inbox.';
    } catch (error) {
      said.classList.add('error');
      said.textContent = `Ada could not sign in. ${error instanceof Error ? error.message : String(error)}`;
    }
    setBusy(false);
  };
  ada.addEventListener('click', () => void (ada.getAttribute('aria-disabled') === 'true' || signIn()));
  let wasIn = false;
  const follow = () => {
    const isIn = client.session.getSync() !== null;
    const hadFocus = document.activeElement === ada;
    ada.hidden = isIn;
    account.hidden = !isIn;
    if (isIn !== wasIn) said.textContent = isIn ? '' : 'You are logged out.';
    wasIn = isIn;
    if (isIn && hadFocus) account.focus();
  };
  client.session.onChange(follow);
  follow();
  setBusy(false);
}
