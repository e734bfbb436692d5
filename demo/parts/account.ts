import type { PorticoClient } from 'portico/headless';
import { button, el, timeOf } from './dom.ts';

type Client = Pick<PorticoClient, 'session' | 'user'>;
type Session = NonNullable<ReturnType<Client['session']['getSync']>>;

/** Who is signed in, by which session, and the way out. Nothing is shown when nobody is. */
export function showAccount(into: HTMLElement, client: Client): void {
  const user = client.user.getSync();
  const session = client.session.getSync();
  if (!user || !session) return into.replaceChildren();
  const tokens = client.session.getTokens();
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
  const email = user.emails?.[0]?.email ?? 'unknown address';
  into.replaceChildren(
    el(
      'div',
      { class: 'panel account' },
      el('h2', { set: { tabindex: '-1' } }, 'You are signed in'),
      el('p', { class: 'who' }, email),
      facts('User', [['ID', code(user.user_id)]]),
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
      trouble,
      logOut,
    ),
  );
}

function facts(title: string, rows: readonly (readonly [string, Node | string])[]): HTMLElement {
  const list = el('dl', {}, ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
  return el('div', { class: 'facts' }, el('h3', {}, title), list);
}

const code = (text: string): HTMLElement => el('code', {}, text);

/** Enough of a token to tell two apart, and too little to use. */
function masked(token: string | null | undefined): HTMLElement | string {
  return token ? code(`${token.slice(0, 4)}${'•'.repeat(12)}`) : 'kept by the server in an HttpOnly cookie';
}

const FACTORS: Readonly<Record<string, string>> = { otp: 'a passcode', magic_link: 'a link' };

function factorsOf({ authentication_factors: factors }: Session): string {
  const named = (factors ?? []).map(({ type, delivery_method: by }) => `${FACTORS[type] ?? type} by ${by}`);
  return named.join(', ') || 'nothing on record';
}
