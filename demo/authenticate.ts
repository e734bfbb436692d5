import { PorticoClient } from 'portico/headless';
import { showAccount } from './parts/account.ts';
import { clientOptions, loadConfig } from './parts/config.ts';
import { button, el, part } from './parts/dom.ts';

const SESSION_MINUTES = 60;

/** Takes the token out of the address before anything is done with it, so that no history or referrer keeps it. */
function takeToken(): { readonly type: string | null; readonly token: string | null } {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  return { type: query.get('stytch_token_type'), token: query.get('token') };
}

const { type, token } = takeToken();

function say(title: string, text: string, ...ways: readonly HTMLElement[]): void {
  document.title = `${title} · Portico demo`;
  part('arrival-title').textContent = title;
  part('arrival-text').textContent = text;
  part('arrival-ways').replaceChildren(...ways);
  part('arrival').hidden = false;
  part('arrival-title').focus();
}

const onward = () => el('a', { set: { href: '/' } }, 'Continue to the demo page');
const back = (label: string) => el('a', { class: 'primary', set: { href: '/?by=link' } }, label);

async function arrive(): Promise<void> {
  if (!token) {
    return say(
      'Nothing to do here',
      'Sign-in links lead to this page. This address holds no link.',
      back('Go to sign-in'),
    );
  }
  if (type !== 'magic_links') {
    return say('Unknown kind of link', 'This page takes sign-in links that were sent by email.', back('Go to sign-in'));
  }
  const config = await loadConfig();
  const client = new PorticoClient(config.publicToken, clientOptions(config));
  await redeem(client, token);
}

async function redeem(client: PorticoClient, link: string): Promise<void> {
  try {
    await client.magicLinks.authenticate(link, { session_duration_minutes: SESSION_MINUTES });
    followSession(client);
  } catch (error) {
    const { text, again } = explain(error);
    const signedIn = client.session.getSync() !== null;
    const leave = signedIn ? onward() : back(again ? 'Back to sign-in' : 'Get a new link');
    const ways = again ? [button('Try again', 'primary', () => redeem(client, link)), leave] : [leave];
    const still = signedIn ? ' You are still signed in as before.' : '';
    say('This link did not work', `${text}${still}`, ...ways);
  }
}

/** What a person can do about it. `again` when the same link may work later. */
function explain(error: unknown): { readonly text: string; readonly again: boolean } {
  const { error_type: kind, message } = (error ?? {}) as { readonly error_type?: string; readonly message?: string };
  if (kind === 'unable_to_auth_magic_link') {
    return { text: 'It was already used or has expired. A new one takes a moment.', again: false };
  }
  if (kind?.includes('pkce')) {
    return { text: 'Open it in the browser in which you asked for it, or get a new one here.', again: false };
  }
  return { text: kind ? `The server said: ${kind}.` : (message ?? 'Something went wrong.'), again: !kind };
}

function followSession(client: PorticoClient): void {
  const account = part('account');
  const ways = el('p', { class: 'ways' }, onward());
  const follow = () => {
    const signedIn = client.session.getSync() !== null && client.user.getSync() !== null;
    account.hidden = !signedIn;
    if (!signedIn) return say('You are logged out', 'The session has ended.', back('Sign in again'));
    const first = !part('arrival').hidden;
    part('arrival').hidden = true;
    document.title = 'Signed in · Portico demo';
    showAccount(account, client);
    account.firstElementChild?.append(ways);
    if (first) account.querySelector('h2')?.focus();
  };
  client.session.onChange(follow);
  client.user.onChange(follow);
  follow();
}

arrive().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  say('This page could not start', text, back('Back to sign-in'));
});
