import { linkTarget, type LinkTarget, withToken } from '../../../src/domain/rules/redirects.ts';
import { FACTORS } from '../../../src/domain/rules/factors.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import { checkChallenge } from '../../../src/domain/rules/proof-key.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { checkVerifier } from '../security/pkce-check.ts';
import { holdProvenSession, withProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logIn, logInByEmail } from '../sessions/log-in.ts';
import type { AuthenticatedReply } from '../sessions/store.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../security/limits.ts';
import { findLink, issueLinkToken, redeemLink, type Link, type LinkRequest } from './store.ts';
import { post } from '../outbox/store.ts';
import { addressOf, attachEmail, findEmail, findOrCreateEmail } from '../users/store.ts';
import { checkSending, duration } from '../outbox/sending.ts';

interface LinkBody {
  readonly email: string;
  readonly login_magic_link_url?: string | undefined;
  readonly login_expiration_minutes?: number | undefined;
  readonly signup_magic_link_url?: string | undefined;
  readonly signup_expiration_minutes?: number | undefined;
  readonly code_challenge?: string | undefined;
}

/** Checks every request for a link. */
async function prepare(services: Services, body: LinkBody, caller: Caller) {
  const target = (kind: 'login' | 'signup'): LinkTarget =>
    linkTarget(services.project, kind, {
      url: [`${kind}_magic_link_url`, body[`${kind}_magic_link_url`]],
      minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`]],
    });
  const [login, signup] = [target('login'), target('signup')];
  checkChallenge(body.code_challenge, services.project.pkce_required_for_email_magic_links);
  await checkSending(services, body.email, caller);
  return { login, signup, code_challenge: body.code_challenge ?? null };
}

interface Mail extends Pick<LinkRequest, 'user_id' | 'email_id' | 'code_challenge' | 'adds'> {
  readonly to: string;
  readonly target: LinkTarget;
  readonly subject: string;
  /** Such as `log in to`. */
  readonly purpose: string;
}

async function sendLink(services: Services, tx: Db, mail: Mail) {
  const { redirect, minutes } = mail.target;
  const token = await issueLinkToken(services, tx, { ...mail, purpose: 'login', minutes });
  const link = withToken(redirect.href, token, 'magic_links');
  return post(services, tx, {
    channel: 'email',
    to: mail.to,
    subject: mail.subject,
    text: `Open this link to ${mail.purpose} ${services.project.name}:\n${link}\nIt works once, within ${duration(minutes)}. If you did not ask for it, ignore this message.`,
    link,
    minutes,
  });
}

/** The text for a returning user, or for a new one. */
function words({ project }: Services, known: boolean) {
  return known
    ? { subject: `Your ${project.name} login link`, purpose: 'log in to' }
    : { subject: `Your ${project.name} sign-up link`, purpose: 'sign up for' };
}

interface Redeeming {
  readonly link: Link;
  readonly minutes: number;
  readonly caller: Caller;
  /** The session that a link which adds an address must be opened in; null for a link that logs in. */
  readonly current: CurrentSession | null;
}

/**
 * Logs in the user whom the link was sent to. Undefined when the link was spent or the address removed in the meantime.
 */
async function redeem(
  services: Services,
  tx: Db,
  { link, minutes, caller, current }: Redeeming,
): Promise<{ readonly reply: AuthenticatedReply; readonly method_id: string } | undefined> {
  const { email_id, adds_to: user_id, address } = link;
  if (current !== null && address !== null) {
    // The link must be opened in a session of the user who asked; else a stranger who opens it would give away their
    // address.
    const { user, session } = await holdProvenSession(services, tx, current);
    if (user.user_id !== user_id || !(await redeemLink(tx, link))) return undefined;
    const { method_id: id } = await addressOf(services, tx, user.user_id, address);
    const email = await attachEmail(services, tx, user, { id, address });
    const factor = FACTORS.email('magic_link', email);
    const reply = await logIn(services, tx, { user, factor, minutes, caller, presented: session });
    return { reply, method_id: email.email_id };
  }
  if (email_id === null) return undefined;
  const spend = () => redeemLink(tx, link);
  const reply = await logInByEmail(services, tx, { email_id, spend, type: 'magic_link', minutes, caller });
  return reply === undefined ? undefined : { reply, method_id: email_id };
}

export const magicLinks: Routes['magicLinks'] = {
  async loginOrCreate(services, { body, caller }) {
    const { login, signup, code_challenge } = await prepare(services, body, caller);
    const status = body.create_user_as_pending === false ? 'active' : 'pending';
    const { user_id, message } = await transaction(services.db, async (tx) => {
      const { user_id, email_id, email: to, verified } = await findOrCreateEmail(services, tx, body.email, status);
      const target = verified ? login : signup;
      const mail = { to, user_id, email_id, code_challenge, target, ...words(services, verified) };
      return { user_id, message: await sendLink(services, tx, mail) };
    });
    services.inbox.publish(message);
    return { user_id };
  },

  async sendPrimary(services, { body, caller }) {
    const { login, signup, code_challenge } = await prepare(services, body, caller);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    const message = await transaction(services.db, async (tx) => {
      const known = await findEmail(tx, body.email);
      if (known === undefined) throw new Refusal('email_not_found');
      const { user_id, email_id, email: to, verified } = known;
      const target = verified ? login : signup;
      return sendLink(services, tx, { to, user_id, email_id, code_challenge, target, ...words(services, verified) });
    });
    services.inbox.publish(message);
    return {};
  },

  sendSecondary: withProvenSession(async (services, { body, caller, session: { user_id } }) => {
    const { login, code_challenge } = await prepare(services, body, caller);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    const message = await transaction(services.db, async (tx) => {
      const { method_id: email_id, to, adds } = await addressOf(services, tx, user_id, body.email);
      const subject = `Confirm your email address for ${services.project.name}`;
      const purpose = 'add this address to your account at';
      return sendLink(services, tx, { to, user_id, email_id, adds, code_challenge, target: login, subject, purpose });
    });
    services.inbox.publish(message);
    return {};
  }),

  async authenticate(services, { body, caller }) {
    const { session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const link = await findLink(services, body.token, 'login');
    if (link === undefined) {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      throw new Refusal('unable_to_auth_magic_link');
    }
    checkVerifier(link.code_challenge, body.code_verifier);
    const current = link.adds_to === null ? null : await caller.session.require();
    const done = await transaction(services.db, (tx) => redeem(services, tx, { link, minutes, caller, current }));
    if (done === undefined) throw new Refusal('unable_to_auth_magic_link');
    return { ...done.reply, method_id: done.method_id };
  },
};
