import { magicLinks } from '#application/api/index.ts';
import { checkEmail, isTaken } from '#server-rules/accounts.ts';
import { checkArrival } from '#server-rules/sign-ups.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { BACKEND_LINK_MINUTES, checkDuration } from '#domain/rules/lifetimes.ts';
import { linkTarget, withToken, type RequestedTarget, type LinkTarget } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { checkWelcome, decoyIds, findWelcome, hidesUsers } from '../state/newcomers.ts';
import {
  attachContact,
  confirmContact,
  contactById,
  contactToAdd,
  findContact,
  findOrCreateContact,
  freeSignedUp,
} from '../state/people.ts';
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

/** Sends an invitation, as the app's own server does by `magic_links.email.invite`. Its user is pending until the person comes in. */
export function invite(state: ServerState, email: string): void {
  checkEmail(email);
  checkArrival(state.settings.signUp, 'invited');
  freeSignedUp(state, 'email', email);
  const contact = findOrCreateContact(state, 'email', email, { arrival: 'invited', status: 'pending' });
  if (isTaken(contact)) throw new Refusal('duplicate_email');
  const { method_id: email_id, user_id, value: to } = contact;
  const { redirect, minutes } = targetOf(state, 'signup', {
    url: ['invite_magic_link_url', undefined],
    minutes: ['invite_expiration_minutes', undefined, BACKEND_LINK_MINUTES.login],
  });
  const token = issueLink(state, { email_id, user_id, challenge: null, adds: null, purpose: 'invite', minutes });
  state.inbox.unshift({
    channel: 'email',
    to,
    token,
    links: { magic_links: withToken(redirect.href, token, 'magic_links') },
  });
}

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
  /** Sends to an address by which a user may log in. Any other gets a mail that explains it: no reply says which it was. */
  const sendToWelcome = (body: LinkBody, status: 'active' | 'pending' | null): string => {
    const { login, signup, challenge } = prepare(body);
    const found = findWelcome(state, 'email', body.email, status);
    if (found === undefined) {
      state.inbox.unshift({ channel: 'email', to: body.email.normalize('NFC') });
    } else {
      const { value, method_id: email_id, verified, user_id } = found;
      send(value, verified ? login : signup, { email_id, user_id, challenge, adds: null });
    }
    const decoy = decoyIds(state, 'email', body.email).user_id;
    return hidesUsers(state) ? decoy : (found?.user_id ?? decoy);
  };
  const send = (to: string, { redirect, minutes }: LinkTarget, link: LinkRecipient) => {
    const token = issueLink(state, { ...link, purpose: 'login', minutes });
    const links = { magic_links: withToken(redirect.href, token, 'magic_links') };
    state.inbox.unshift({ channel: 'email', to, token, links });
  };

  answers
    .to(magicLinks.loginOrCreate, (body) => {
      const status = body.create_user_as_pending === false ? 'active' : 'pending';
      return { user_id: sendToWelcome(body, status) };
    })
    .to(magicLinks.sendPrimary, (body) => {
      if (hidesUsers(state)) {
        sendToWelcome(body, null);
        return {};
      }
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
      const find = () => findLink(state, token, 'login', 'invite', 'reset_password');
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
  checkWelcome(state, contactById(state, 'email', email_id));
  const contact = confirmContact(state, 'email', email_id);
  if (contact === undefined) throw new Refusal('unable_to_auth_magic_link');
  return { user_id: contact.user_id, factor: FACTORS.magicLink(contact), email_id };
}
