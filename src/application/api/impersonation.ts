import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

export const impersonation = {
  authenticate: endpoint<AuthenticationReply>()({
    name: 'impersonation.authenticate',
    method: 'POST',
    path: '/impersonation/authenticate',
    body: { impersonation_token: 'string' },
    reply: AUTHENTICATED,
  }),
};
