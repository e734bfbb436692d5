import { checkDuration } from '#domain/rules/lifetimes.ts';
import { normalPassword } from '#server-rules/passwords.ts';
import { linkTarget, type LinkTarget } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { findLink } from '../links/store.ts';
import { takeForCaller } from '#provider/base/security/limits.ts';
import { withSessionFor } from '../sessions/login/log-in.ts';
import {
  logInByPassword,
  resetByEmail,
  resetByExistingPassword,
  resetBySession,
  signUpByPassword,
  takeForNew,
} from './flows.ts';
import { strengthOf } from './policy.ts';
import { sendReset } from './reset-mail.ts';

export const passwords: Routes['passwords'] = {
  async create(services, { body, caller }) {
    const { email, password, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const { reply, email_id } = await signUpByPassword(services, { email, password, caller, enter });
    return { ...reply, email_id };
  },

  async authenticate(services, { body, caller }) {
    const { email, password, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    return logInByPassword(services, { email, password, caller, enter });
  },

  async resetByEmailStart(services, { body, caller, sender }) {
    const target = (kind: 'login' | 'reset_password'): LinkTarget =>
      linkTarget(services.project, kind, {
        url: [`${kind}_redirect_url`, body[`${kind}_redirect_url`]],
        minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`]],
      });
    const [login, reset] = [target('login'), target('reset_password')];
    const { email, locale, reset_password_template_id: template_id } = body;
    const { code_challenge } = body;
    const mail = { email, locale, template_id, code_challenge, login, reset, caller, sender };
    await sendReset(services, mail);
    return {};
  },

  /** Lets the reset page show the address, or that the link is no longer valid, before a password is chosen. */
  async resetByEmailCheck(services, { body, caller }) {
    const link = await findLink(services, body.token, 'reset_password');
    const mailed = await services.db
      .selectFrom('emails')
      .select('email')
      .where('email_id', '=', link?.email_id ?? '')
      .executeTakeFirst();
    if (mailed !== undefined) return { email: mailed.email };
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_magic_link');
  },

  async resetByEmail(services, { body, caller }) {
    const { token, password, code_verifier, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    return resetByEmail(services, { token, password, code_verifier, caller, enter });
  },

  async resetByExistingPassword(services, { body, caller }) {
    const { email, existing_password: password, new_password, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    return resetByExistingPassword(services, { email, password, new_password, caller, enter });
  },

  resetBySession: async (services, { body, caller, session }) => {
    const { password, session_duration_minutes: minutes = null } = body;
    if (minutes !== null) checkDuration(minutes);
    // Without minutes the session keeps its expiry.
    const enter = withSessionFor(services, { minutes, caller });
    return resetBySession(services, { password, caller, session, enter });
  },

  /** Pages call this at every change of the field, so it is limited like a search. */
  async strengthCheck(services, { body, caller }) {
    const password = normalPassword(body.password);
    await takeForNew(services, caller);
    return strengthOf(services, password, body.email);
  },
};
