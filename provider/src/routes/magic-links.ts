import { notYet } from './not-yet.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { redirectUrl } from '../project/project.ts';
import { checkChallenge, checkVerifier } from '../security/pkce-check.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../store/limits.ts';
import { findLink, issueLinkToken, linkTo, redeemLink } from '../store/magic-links.ts';
import { post } from '../store/outbox.ts';
import { checkDuration } from '../store/sessions.ts';
import { findOrCreateEmail } from '../store/users.ts';
import { logInByEmail } from './authenticated.ts';
import { checkSending, duration, minutesIn } from './sending.ts';

const DEFAULT_MINUTES = 30;
const RANGE = { fallback: DEFAULT_MINUTES, min: 5, max: 10_080 };

/** Where the link leads and how long it is good, for one of the two kinds of people. Both are checked at every send. */
function target({ project }: Services, kind: 'login' | 'signup', url: string | undefined, minutes: number | undefined) {
  const field = `${kind}_magic_link_url`;
  const redirect = redirectUrl(project, url ?? project[`default_${kind}_redirect_url`]);
  if (redirect === null) {
    throw new Refusal(
      'no_match_for_provided_magic_link_url',
      `${field} is not registered as a redirect URL of this project.`,
    );
  }
  return { redirect, minutes: minutesIn({ ...RANGE, field: `${kind}_expiration_minutes` }, minutes) };
}

export const magicLinks: Routes['magicLinks'] = {
  async loginOrCreate(services, { body, caller }) {
    const { project } = services;
    const login = target(services, 'login', body.login_magic_link_url, body.login_expiration_minutes);
    const signup = target(services, 'signup', body.signup_magic_link_url, body.signup_expiration_minutes);
    checkChallenge(body.code_challenge, project.pkce_required_for_email_magic_links);
    await checkSending(services, body.email, caller);
    const status = body.create_user_as_pending === false ? 'active' : 'pending';
    const { user_id, message } = await transaction(services.db, async (tx) => {
      const to = await findOrCreateEmail(services, tx, body.email, status);
      const { redirect, minutes } = to.verified ? login : signup;
      const token = await issueLinkToken(services, tx, {
        email_id: to.email_id,
        code_challenge: body.code_challenge ?? null,
        minutes,
      });
      const link = linkTo(redirect, token);
      const sent = await post(services, tx, {
        channel: 'email',
        to: to.email,
        subject: `Your ${project.name} ${to.verified ? 'login' : 'sign-up'} link`,
        text: `Open this link to ${to.verified ? 'log in to' : 'sign up for'} ${project.name}:\n${link}\nIt works once, within ${duration(minutes)}. If you did not ask for it, ignore this message.`,
        link,
      });
      return { user_id: to.user_id, message: sent };
    });
    services.inbox.publish(message);
    return { user_id };
  },

  async authenticate(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    const link = await findLink(services, body.token);
    if (link === undefined) {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      throw new Refusal('unable_to_auth_magic_link');
    }
    checkVerifier(link.code_challenge, body.code_verifier);
    const reply = await transaction(services.db, async (tx) =>
      (await redeemLink(tx, link))
        ? logInByEmail(services, tx, {
            email_id: link.email_id,
            type: 'magic_link',
            minutes: body.session_duration_minutes,
            caller,
          })
        : undefined,
    );
    if (reply === undefined) throw new Refusal('unable_to_auth_magic_link');
    return { ...reply, method_id: link.email_id };
  },
  sendPrimary: notYet,
  sendSecondary: notYet,
};
