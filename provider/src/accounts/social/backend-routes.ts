import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { enteringFromBackend } from '../sessions/login/entering.ts';
import { userNamedBy } from '../sessions/reading/named-user.ts';
import { issueAttachToken } from './logins/attaching.ts';
import { logInByOAuth } from './logins/log-in.ts';
import { isOffered } from './providers/providers.ts';

export const oauth: BackendRoutes['oauth'] = {
  async attach(services, { body, session }) {
    const { provider } = body;
    if (!isOffered(services, provider)) throw new Refusal('oauth_config_not_found');
    const user = await userNamedBy(services, body, session);
    return { oauth_attach_token: await issueAttachToken(services, provider, user) };
  },

  async authenticate(services, { body, caller }) {
    const { token, code_verifier } = body;
    const enter = enteringFromBackend(services, caller, body);
    const goOn = caller.session.isPresented ? enter : enteringFromBackend(services, caller, {});
    const redeeming = { token, code_verifier, caller, by: 'server', enter, goOn } as const;
    const { reply, registration, provider_values } = await logInByOAuth(services, redeeming);
    const { provider_subject, provider_type, oauth_user_registration_id } = registration;
    const ids = { provider_subject, provider_type, oauth_user_registration_id };
    return { ...reply, ...ids, provider_values, user_session: reply.session, reset_sessions: false };
  },
};
