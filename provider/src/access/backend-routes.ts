import type { BackendRoutes } from '../backend/mount-backend.ts';
import { backendReply } from '../sessions/backend-log-in.ts';
import { impersonate } from './impersonation.ts';

export const impersonation: BackendRoutes['impersonation'] = {
  async authenticate(services, { body, caller }) {
    return backendReply(services, services.db, await impersonate(services, body.impersonation_token, caller));
  },
};
