import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, type BackendAuthenticated } from './reply.ts';

export const impersonation = {
  authenticate: endpoint<BackendAuthenticated>()({
    name: 'impersonation.authenticate',
    method: 'POST',
    path: '/impersonation/authenticate',
    body: { ...ATTRIBUTES, impersonation_token: 'string' },
  }),
};
