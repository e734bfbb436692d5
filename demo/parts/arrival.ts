import type { PorticoClient } from 'portico/headless';
import { showAccount } from './account.ts';
import { el, endLoading, part } from './dom.ts';

/** The pages to which emails and social logins lead show the outcome, then the signed-in user. */

export function say(title: string, text: string, ...ways: readonly HTMLElement[]): void {
  endLoading();
  document.title = `${title} · Portico`;
  part('arrival-title').textContent = title;
  part('arrival-text').textContent = text;
  part('arrival-ways').replaceChildren(...ways);
  part('arrival').hidden = false;
  part('arrival-title').focus();
}

export const onward = (): HTMLElement => el('a', { set: { href: '/' } }, 'Continue to the demo page');
export const back = (label: string, href = '/?by=link'): HTMLElement =>
  el('a', { class: 'primary', set: { href } }, label);

/** Shows the account while there is a session. */
export function followAccount(client: PorticoClient): void {
  const account = part('account');
  const ways = el('p', { class: 'ways' }, onward());
  let first = true;
  const follow = () => {
    const signedIn = client.session.getSync() !== null && client.user.getSync() !== null;
    account.hidden = !signedIn;
    if (!signedIn) return say('You are logged out', 'The session has ended.', back('Sign in again'));
    part('arrival').hidden = true;
    document.title = 'Signed in · Portico';
    showAccount(account, client);
    account.firstElementChild?.append(ways);
    if (first) account.querySelector('h2')?.focus();
    first = false;
  };
  client.session.onChange(follow);
  client.user.onChange(follow);
  follow();
}

/** Advice for the user. `again` when the same link may work later. */
export function explain(error: unknown): { readonly text: string; readonly again: boolean } {
  const { error_type: kind, message } = (error ?? {}) as { readonly error_type?: string; readonly message?: string };
  if (kind === 'unable_to_auth_magic_link') {
    return { text: 'It was already used or has expired. A new one takes a moment.', again: false };
  }
  if (kind === 'oauth_token_not_found') {
    return { text: 'What it brought along was already used or has expired. Log in once more.', again: false };
  }
  if (kind === 'sign_up_refused') {
    return { text: 'There is no account for you yet, and this page does not let you create one.', again: false };
  }
  if (kind?.includes('pkce')) {
    return { text: 'Open it in the browser in which you asked for it, or get a new one here.', again: false };
  }
  return { text: kind ? `The server said: ${kind}.` : (message ?? 'Something went wrong.'), again: !kind };
}
