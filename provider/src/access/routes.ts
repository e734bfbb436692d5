import { IMPERSONATION_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { FACTORS } from '../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { redeemImpersonationToken } from './impersonation.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { takeForNetwork } from '../security/limits.ts';
import { logIn } from '../sessions/log-in.ts';

export const impersonation: Routes['impersonation'] = {
  /** Starts a new session that names the impersonator. It never joins a presented session. */
  async authenticate(services, { body, caller }) {
    const reply = await transaction(services.db, async (tx) => {
      const redeemed = await redeemImpersonationToken(services, tx, body.impersonation_token);
      if (redeemed === undefined) return undefined;
      return logIn(services, tx, {
        user: redeemed.user,
        factor: FACTORS.impersonated(redeemed.impersonation),
        minutes: IMPERSONATION_MINUTES,
        caller,
        presented: undefined,
      });
    });
    if (reply !== undefined) return reply;
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_impersonation_token');
  },
};
