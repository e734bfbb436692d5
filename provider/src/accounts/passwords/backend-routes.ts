import { LINK_MINUTES } from '#domain/rules/lifetimes.ts';
import { normalPassword } from '#server-rules/passwords.ts';
import { linkTarget } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { enterBackend } from '../sessions/login/backend-log-in.ts';
import { describeUser } from '../users/describe.ts';
import {
  logInByPassword,
  resetByEmail,
  resetByExistingPassword,
  resetBySession,
  signUpByPassword,
  takeForNew,
} from './flows.ts';
import { inLine } from './line.ts';
import { migratePassword } from './migrate.ts';
import { strengthOf } from './policy.ts';
import { sendReset } from './reset-mail.ts';

export const passwords: BackendRoutes['passwords'] = inLine({
  async create(services, { body, caller }) {
    const { email, password, name, trusted_metadata, untrusted_metadata } = body;
    const { reply, email_id } = await signUpByPassword(services, {
      email,
      password,
      caller,
      enter: enterBackend(services, { body, caller }),
      prepare: (tx, user) => describeUser(services.project, tx, user, { name, trusted_metadata, untrusted_metadata }),
    });
    return { ...reply, email_id };
  },

  authenticate: async (services, { body, caller }) => {
    const { email, password } = body;
    return logInByPassword(services, { email, password, caller, enter: enterBackend(services, { body, caller }) });
  },

  async strengthCheck(services, { body, caller }) {
    const password = normalPassword(body.password);
    await takeForNew(services, caller);
    return strengthOf(services, password, body.email);
  },

  migrate: (services, { body }) => migratePassword(services, body),

  async resetByEmailStart(services, { body, caller }) {
    const { email, login_redirect_url, reset_password_redirect_url, reset_password_expiration_minutes } = body;
    const reset = linkTarget(services.project, 'reset_password', {
      url: ['reset_password_redirect_url', reset_password_redirect_url],
      minutes: ['reset_password_expiration_minutes', reset_password_expiration_minutes],
    });
    const login = linkTarget(services.project, 'login', {
      url: ['login_redirect_url', login_redirect_url],
      minutes: ['login_expiration_minutes', undefined, LINK_MINUTES],
    });
    const { locale, reset_password_template_id: template_id } = body;
    const { code_challenge } = body;
    const mail = { email, locale, template_id, code_challenge, login, reset, caller, sender: caller.sender };
    const result = await sendReset(services, mail);
    if (result === undefined) throw new Refusal('email_not_found');
    return result;
  },

  resetByEmail: async (services, { body, caller }) => {
    const { token, password, code_verifier, options } = body;
    const enter = enterBackend(services, { body, caller });
    return resetByEmail(services, { token, password, code_verifier, options, caller, enter });
  },

  resetByExistingPassword: async (services, { body, caller }) => {
    const { email, existing_password: password, new_password } = body;
    const enter = enterBackend(services, { body, caller });
    return resetByExistingPassword(services, { email, password, new_password, caller, enter });
  },

  resetBySession: async (services, { body, caller, session }) => {
    const enter = enterBackend(services, { body, caller });
    return resetBySession(services, { password: body.password, caller, session, enter });
  },
});
