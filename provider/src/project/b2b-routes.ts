import { checkEmail } from '../../../src/domain/rules/accounts.ts';
import type { Routes } from '../http/endpoints.ts';
import { takeForNetwork } from '../security/limits.ts';

export const b2b: Routes['b2b'] = {
  /** This server keeps users, and no organizations: nobody is a member of one. */
  async searchMember(services, { body, caller }) {
    checkEmail(body.email_address);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    return { member: null };
  },
};
