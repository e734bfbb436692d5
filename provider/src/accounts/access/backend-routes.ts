import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { backendReply, logInFromBackend } from '../sessions/login/backend-log-in.ts';
import { attest } from './attest.ts';
import { impersonate } from './impersonation.ts';

export const impersonation: BackendRoutes['impersonation'] = {
  async authenticate(services, { body, caller }) {
    return backendReply(services, services.db, await impersonate(services, body.impersonation_token, caller));
  },
};

export const attestation: Pick<BackendRoutes['sessions'], 'attest'> = {
  async attest(services, { body, caller }) {
    return attest(services, body, caller, (tx, attested) =>
      logInFromBackend(services, tx, { ...attested, caller, body, joining: false }),
    );
  },
};
