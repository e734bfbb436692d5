import { checkDuration, minutesIn, TOTP_MINUTES } from '#domain/rules/lifetimes.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { holdOwner } from '../sessions/reading/admission.ts';
import { withSessionFor } from '../sessions/login/log-in.ts';
import { requireListed } from '../sessions/reading/step.ts';
import { readUserWithRoles } from '../users/read-user.ts';
import { enterRecoveryCode, enterTotp } from './claim.ts';
import { enrol } from './enrol.ts';
import { shownRecoveryCodes } from './store.ts';

export const totps: Routes['totps'] = {
  async create(services, { body, ...owner }) {
    const { user_id, step } = owner;
    requireListed(step, 'enrol', 'totp');
    const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, body.expiration_minutes);
    const totp = await enrol(services, user_id, minutes, (tx) => holdOwner(services, tx, owner));
    const user = await readUserWithRoles(services.project, services.db, user_id);
    return { ...totp, user_id, user, ...(step === undefined ? { __user: user } : {}) };
  },

  async authenticate(services, { body, caller, ...owner }) {
    const { totp_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: owner.user_id, owner, enter };
    const { reply, totp_id } = await enterTotp(services, claimant, totp_code);
    return { ...reply, totp_id };
  },

  recoveryCodes: async (services, { session: { user_id } }) => ({
    user_id,
    totps: await shownRecoveryCodes(services, user_id),
  }),

  async recover(services, { body, caller, ...owner }) {
    const { recovery_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: owner.user_id, owner, enter };
    const { reply, totp_id } = await enterRecoveryCode(services, claimant, recovery_code);
    return { ...reply, totp_id };
  },
};
