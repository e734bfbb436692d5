import { magicLinks } from '../../../application/api/index.ts';
import type { Answers, Caller } from './answers.ts';
import { emailFactor, emailToAdd } from './codes.ts';
import { attachEmail, checkEmail, confirmEmail, findEmail, findOrCreateEmail } from './people.ts';
import { checkChallenge, checkVerifier } from './pkce.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, minutesIn, requireSession, sessionOf, type NewFactor } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { Link, LinkType } from './tables.ts';

const MINUTES = 30;

interface Target {
  readonly url: string;
  readonly minutes: number;
}

/** How long a link is good and where it leads; refuses what is out of range or not registered. */
export function target(state: ServerState, url: string | undefined, minutes: number | undefined): Target {
  const { redirectUrls, defaultRedirectUrl } = state.settings;
  const leads = url ?? defaultRedirectUrl;
  if (redirectUrls !== null && !redirectUrls.includes(leads)) {
    throw new Refused('no_match_for_provided_magic_link_url');
  }
  return { url: leads, minutes: minutesIn(minutes, MINUTES, 5, 10_080) };
}

/** Keeps a new link. Older links to the same address stay good. */
export function issueLink(
  state: ServerState,
  link: Omit<Link, 'token' | 'expiresAt'> & { readonly minutes: number },
): string {
  const { minutes, ...kept } = link;
  const token = `link-token-${state.next()}`;
  state.links.set(token, { ...kept, token, expiresAt: state.in(minutes) });
  return token;
}

/** The redirect URL with the token in its query. */
export function linkTo(url: string, token: string, type: LinkType): string {
  const link = new URL(url);
  link.searchParams.set('stytch_token_type', type);
  link.searchParams.set('token', token);
  return link.href;
}

/** The live link of that purpose; a token of one purpose is unknown to the other. Spends nothing. */
export function findLink(state: ServerState, token: string, purpose: Link['purpose']): Link {
  const link = state.links.get(token);
  if (link === undefined || link.purpose !== purpose || link.expiresAt <= state.now()) {
    throw new Refused('unable_to_auth_magic_link');
  }
  return link;
}

interface LinkBody {
  readonly email: string;
  readonly login_magic_link_url?: string | undefined;
  readonly login_expiration_minutes?: number | undefined;
  readonly signup_magic_link_url?: string | undefined;
  readonly signup_expiration_minutes?: number | undefined;
  readonly code_challenge?: string | undefined;
}

/** Links in emails, with and without a proof key. */
export function answerLinks(answers: Answers, state: ServerState): void {
  const prepare = (body: LinkBody) => {
    const login = target(state, body.login_magic_link_url, body.login_expiration_minutes);
    const signup = target(state, body.signup_magic_link_url, body.signup_expiration_minutes);
    checkChallenge(state, 'pkce_required_for_email_magic_links', body.code_challenge);
    checkEmail(body.email);
    return { login, signup, challenge: body.code_challenge };
  };
  const send = (to: string, { url, minutes }: Target, link: Pick<Link, 'email_id' | 'challenge' | 'adds'>) => {
    const token = issueLink(state, { ...link, purpose: 'login', minutes });
    state.inbox.unshift({ channel: 'email', to, token, links: { magic_links: linkTo(url, token, 'magic_links') } });
  };

  answers
    .to(magicLinks.loginOrCreate, (body) => {
      const { login, signup, challenge } = prepare(body);
      const status = body.create_user_as_pending === false ? 'active' : 'pending';
      const { email, email_id, verified, user } = findOrCreateEmail(state, body.email, status);
      send(email, verified ? login : signup, { email_id, challenge, adds: null });
      return { user_id: user.user_id };
    })
    .to(magicLinks.sendPrimary, (body) => {
      const { login, signup, challenge } = prepare(body);
      const known = findEmail(state, body.email);
      if (known === undefined) throw new Refused('email_not_found');
      send(known.email, known.verified ? login : signup, { email_id: known.email_id, challenge, adds: null });
      return {};
    })
    .to(magicLinks.sendSecondary, (body, caller) => {
      const { user_id } = requireSession(state, caller).session;
      const { login, challenge } = prepare(body);
      const { method_id: email_id, to, adds } = emailToAdd(state, user_id, body.email);
      send(to, login, { email_id, challenge, adds });
      return {};
    })
    .to(magicLinks.authenticate, async ({ token, code_verifier, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const link = findLink(state, token, 'login');
      await checkVerifier(state, link.challenge, code_verifier);
      findLink(state, token, 'login');
      const proven = redeem(state, link, caller);
      state.links.delete(token);
      return { ...logIn(state, { ...proven, minutes, caller }), method_id: link.email_id };
    });
}

function redeem(
  state: ServerState,
  { email_id, adds }: Link,
  caller: Caller,
): { readonly user_id: string; readonly factor: NewFactor } {
  if (adds !== null) {
    // Only in a session of the user who asked: else a stranger who opens the link would give their address away.
    const { user_id } = requireSession(state, caller).session;
    if (user_id !== adds.user_id) throw new Refused('unable_to_auth_magic_link');
    return { user_id, factor: emailFactor('magic_link', attachEmail(state, adds, email_id)) };
  }
  const email = confirmEmail(state, email_id, sessionOf(state, caller)?.session.user_id ?? null);
  if (email === undefined) throw new Refused('unable_to_auth_magic_link');
  return { user_id: email.user.user_id, factor: emailFactor('magic_link', email) };
}
