import type { PorticoClient } from 'portico/headless';
import { CHANNELS } from './channels.ts';
import { button, el, timeOf } from './dom.ts';

type Client = Pick<PorticoClient, 'session' | 'user'>;
type Session = NonNullable<ReturnType<Client['session']['getSync']>>;
type User = NonNullable<ReturnType<Client['user']['getSync']>>;

/**
 * The signed-in user, the session, and the sign-out. Nothing without a session. A panel that is already shown is updated in place: a
 * press on its button that began before an update still counts.
 */
export function showAccount(into: HTMLElement, client: Client): void {
  const user = client.user.getSync();
  const session = client.session.getSync();
  if (!user || !session) return into.replaceChildren();
  const tokens = client.session.getTokens();
  const details = [
    el('h2', { set: { tabindex: '-1' } }, 'You are signed in'),
    el('p', { class: 'who' }, whoIs(user)),
    facts('User', [
      ['ID', code(user.user_id)],
      ['Ways in', waysOf(user)],
    ]),
    facts('Session', [
      ['ID', code(session.session_id)],
      ['Started', timeOf(session.started_at, 'full')],
      ['Expires', timeOf(session.expires_at, 'full')],
      ['Proved by', factorsOf(session)],
    ]),
    facts('Tokens', [
      ['Session token', masked(tokens?.session_token)],
      ['Session JWT', masked(tokens?.session_jwt)],
    ]),
  ];
  const shown = into.querySelector('.account');
  if (shown === null) return into.replaceChildren(panelOf(client, details));
  for (const [at, detail] of details.entries()) {
    const before = shown.children[at];
    if (!before?.isEqualNode(detail)) before?.replaceWith(detail);
  }
}

function panelOf(client: Client, details: readonly HTMLElement[]): HTMLElement {
  const trouble = el('p', { class: 'trouble', hidden: true, set: { role: 'alert' } });
  const logOut = button('Log out', 'primary', async () => {
    trouble.hidden = true;
    try {
      await client.session.revoke();
    } catch (error) {
      trouble.textContent = `You are still signed in. ${error instanceof Error ? error.message : String(error)}`;
      trouble.hidden = false;
    }
  });
  const setUp = el('a', { class: 'quiet', set: { href: '/passkeys' } }, 'Set up a passkey');
  return el('div', { class: 'panel account' }, ...details, trouble, logOut, setUp);
}

/** The address, if there is one: a user who logs in by phone or wallet has none. */
function nameOf({ emails, phone_numbers: phones, crypto_wallets: wallets }: User): string {
  const known = emails?.[0]?.email ?? phones?.[0]?.phone_number ?? wallets?.[0]?.crypto_wallet_address;
  return known ?? 'unknown address';
}

/** With the user's name, if there is one. */
function whoIs(user: User): string {
  const { first_name: first, last_name: last } = user.name;
  const name = [first, last].filter(Boolean).join(' ');
  return name === '' ? nameOf(user) : `${name} · ${nameOf(user)}`;
}

/** The login methods of this user. Lists that a server leaves out are empty. */
function waysOf(user: User): string {
  const counted = [
    [user.emails, 'email address', 'email addresses'],
    [user.phone_numbers, 'telephone number', 'telephone numbers'],
    [user.password ? [user.password] : [], 'password', ''],
    [user.webauthn_registrations, 'passkey', 'passkeys'],
    [user.providers, 'social login', 'social logins'],
    [user.crypto_wallets, 'wallet', 'wallets'],
  ] as const;
  const said = counted.flatMap(([list, one, many]) => {
    const count = list?.length ?? 0;
    return count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];
  });
  return said.join(', ') || 'none';
}

function facts(title: string, rows: readonly (readonly [string, Node | string])[]): HTMLElement {
  const list = el('dl', {}, ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
  return el('div', { class: 'facts' }, el('h3', {}, title), list);
}

const code = (text: string): HTMLElement => el('code', {}, text);

/** A part of a token that distinguishes two tokens but cannot be used. */
function masked(token: string | null | undefined): HTMLElement | string {
  return token ? code(`${token.slice(0, 4)}${'•'.repeat(12)}`) : 'kept by the server in an HttpOnly cookie';
}

/** By `type`, for factors whose `delivery_method` adds no information. */
const FACTORS: Readonly<Record<string, string>> = {
  password: 'a password',
  webauthn: 'a passkey',
  crypto: 'the signature of a wallet',
  totp: 'an authenticator app',
  recovery_codes: 'a recovery code',
};
const DELIVERED: Readonly<Record<string, string>> = { otp: 'a passcode', magic_link: 'a link' };

/** A factor in words; unknown factors keep the wire's name. */
export function factorsOf({ authentication_factors: factors }: Pick<Session, 'authentication_factors'>): string {
  const named = (factors ?? []).map(({ type, delivery_method: by }) => {
    if (DELIVERED[type]) return `${DELIVERED[type]} by ${(CHANNELS as Readonly<Record<string, string>>)[by] ?? by}`;
    if (by.startsWith('oauth_')) return `a social login: ${by.slice('oauth_'.length)}`;
    return FACTORS[type] ?? `${type} by ${by}`;
  });
  return named.join(', ') || 'nothing on record';
}
