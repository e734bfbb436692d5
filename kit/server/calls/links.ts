import { magicLinks } from '../../../src/application/api/index.ts';
import { checkEmail } from '../../../server-rules/accounts.ts';
import { FACTORS, type NewFactor } from '../../../src/domain/rules/factors.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { linkTarget, withToken, type RequestedTarget, type LinkTarget } from '../../../src/domain/rules/redirects.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { attachContact, confirmContact, contactToAdd, findContact, findOrCreateContact } from '../state/people.ts';
import { logIn } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { Link } from '../state/tables.ts';

/** The target and lifetime of a link. Refuses a lifetime out of range and a URL that is not registered. */
export function targetOf(
  state: ServerState,
  kind: Parameters<typeof linkTarget>[1],
  request: RequestedTarget,
): LinkTarget {
  return linkTarget(state.rules(request.url[1]), kind, request);
}

/** Stores a new link. Older links to the same address stay valid. */
export function issueLink(
  state: ServerState,
  link: Omit<Link, 'token' | 'expiresAt'> & { readonly minutes: number },
): string {
  const { minutes, ...fields } = link;
  const token = `link-token-${state.next()}`;
  state.links.set(token, { ...fields, token, expiresAt: state.in(minutes) });
  return token;
}

/** Finds the unexpired link with this token and one of the purposes, without using it up. Refuses a token of another purpose. */
export function findLink(state: ServerState, token: string, ...purposes: readonly Link['purpose'][]): Link {
  const link = state.live(state.links, token);
  if (link === undefined || !purposes.includes(link.purpose)) throw new Refusal('unable_to_auth_magic_link');
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

type LinkRecipient = Pick<Link, 'email_id' | 'user_id' | 'challenge' | 'adds'>;

/** Links in emails, with and without a proof key. */
export function answerLinks(answers: Answers, state: ServerState): void {
  const prepare = (body: LinkBody) => {
    const target = (kind: 'login' | 'signup'): LinkTarget =>
      targetOf(state, kind, {
        url: [`${kind}_magic_link_url`, body[`${kind}_magic_link_url`]],
        minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`]],
      });
    const [login, signup] = [target('login'), target('signup')];
    state.checkChallengeFor('login', body.code_challenge);
    checkEmail(body.email);
    return { login, signup, challenge: body.code_challenge ?? null };
  };
  const send = (to: string, { redirect, minutes }: LinkTarget, link: LinkRecipient) => {
    const token = issueLink(state, { ...link, purpose: 'login', minutes });
    const links = { magic_links: withToken(redirect.href, token, 'magic_links') };
    state.inbox.unshift({ channel: 'email', to, token, links });
  };

  answers
    .to(magicLinks.loginOrCreate, (body) => {
      const { login, signup, challenge } = prepare(body);
      const status = body.create_user_as_pending === false ? 'active' : 'pending';
      const { value, method_id: email_id, verified, user_id } = findOrCreateContact(state, 'email', body.email, status);
      send(value, verified ? login : signup, { email_id, user_id, challenge, adds: null });
      return { user_id };
    })
    .to(magicLinks.sendPrimary, (body) => {
      const { login, signup, challenge } = prepare(body);
      const contact = findContact(state, 'email', body.email);
      if (contact === undefined) throw new Refusal('email_not_found');
      const { value, method_id: email_id, verified, user_id } = contact;
      send(value, verified ? login : signup, { email_id, user_id, challenge, adds: null });
      return {};
    })
    .to(magicLinks.sendSecondary, (body, caller) => {
      const { user_id } = requireSession(state, caller);
      const { login, challenge } = prepare(body);
      const { method_id: email_id, value, adds } = contactToAdd(state, user_id, 'email', body.email);
      send(value, login, { email_id, user_id, challenge, adds });
      return {};
    })
    .to(magicLinks.authenticate, async ({ token, code_verifier, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      // The link of a reset also logs in, and leaves the password unchanged.
      const find = () => findLink(state, token, 'login', 'reset_password');
      await state.checkLink(find(), code_verifier);
      const proof = redeem(state, find(), caller);
      state.links.delete(token);
      const { email_id: method_id, ...login } = proof;
      return { ...logIn(state, { ...login, minutes, caller }), method_id };
    });
}

function redeem(
  state: ServerState,
  { email_id, user_id, adds }: Link,
  caller: Caller,
): { readonly user_id: string; readonly factor: NewFactor; readonly email_id: string } {
  if (adds !== null) {
    // Requires a session of the user who requested it: otherwise a stranger who opens the link would give away their address.
    const session = requireSession(state, caller, 'adds');
    if (session.user_id !== user_id) throw new Refusal('unable_to_auth_magic_link');
    const { method_id } = contactToAdd(state, user_id, 'email', adds);
    const contact = attachContact(state, session, { kind: 'email', method_id, value: adds });
    return { user_id, factor: FACTORS.magicLink(contact), email_id: contact.method_id };
  }
  const contact = confirmContact(state, 'email', email_id);
  if (contact === undefined) throw new Refusal('unable_to_auth_magic_link');
  return { user_id: contact.user_id, factor: FACTORS.magicLink(contact), email_id };
}
