import { PorticoClient } from 'portico/headless';
import { back, explain, followAccount, onward, say } from './parts/arrival.ts';
import { clientOptions, loadConfig } from './parts/config.ts';
import { exposeDemo } from './parts/demo-window.ts';
import { button, part } from './parts/dom.ts';
import { showInbox } from './parts/inbox.ts';

const SESSION = { session_duration_minutes: 60 };

/** Removes the token from the URL before its use, so that it stays in no history or referrer. */
function takeQuery(): URLSearchParams {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  return query;
}

const query = takeQuery();

interface Kind {
  readonly name: 'link' | 'login';
  readonly use: (client: PorticoClient, token: string) => Promise<{ readonly mfa?: object }>;
}
const LINK: Kind = { name: 'link', use: (client, token) => client.magicLinks.authenticate(token, SESSION) };
const SOCIAL: Kind = { name: 'login', use: (client, token) => client.oauth.authenticate(token, SESSION) };
/** By `stytch_token_type`; `login` is the link of a reset email that logs in without a password. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['magic_links', LINK],
  ['login', LINK],
  ['oauth', SOCIAL],
]);

async function arrive(): Promise<void> {
  const config = await loadConfig();
  const client = new PorticoClient(config.publicToken, { ...clientOptions(config), asksProfile: true });
  showInbox(part('inbox'), config.provider, client);
  const refused = query.get('error');
  if (refused !== null) {
    const why = refused === 'access_denied' ? 'It was cancelled there.' : `It said: ${refused}.`;
    return say('You were not logged in', `The social login did not end well. ${why}`, back('Back to sign-in', '/'));
  }
  const token = query.get('token');
  if (!token) {
    const text = 'Sign-in links lead to this page. This address holds no link.';
    return say('Nothing to do here', text, back('Go to sign-in'));
  }
  const kind = KINDS.get(query.get('stytch_token_type') ?? '');
  if (kind === undefined) {
    const text = 'This page takes sign-in links that were sent by email, and social logins.';
    return say('Unknown kind of link', text, back('Go to sign-in'));
  }
  exposeDemo(client);
  await redeem(client, kind, token);
}

async function redeem(client: PorticoClient, kind: Kind, token: string): Promise<void> {
  try {
    const { mfa } = await kind.use(client, token);
    // The login lacks fields, terms or a second factor. The widget of the demo page asks for them.
    if (mfa !== undefined) return location.replace('/');
  } catch (error) {
    const { text, again } = explain(error);
    const signedIn = client.session.getSync() !== null;
    const anew = kind === LINK ? back(again ? 'Back to sign-in' : 'Get a new link') : back('Back to sign-in', '/');
    const leave = signedIn ? onward() : anew;
    const ways = again ? [button('Try again', 'primary', () => redeem(client, kind, token)), leave] : [leave];
    const still = signedIn ? ' You are still signed in as before.' : '';
    return say(`This ${kind.name} did not work`, `${text}${still}`, ...ways);
  }
  followAccount(client);
}

arrive().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  say('This page could not start', text, back('Back to sign-in'));
});
