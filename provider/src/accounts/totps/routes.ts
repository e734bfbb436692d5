import { checkDuration, minutesIn, TOTP_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import type { Routes } from '../sessions/contract.ts';
import { holdSession, withOwnSession, withProvenSession } from '../sessions/current.ts';
import { withSessionFor } from '../sessions/log-in.ts';
import { holdOwner, presentedStep, requireListed, stepOwner } from '../sessions/step-owner.ts';
import { readUserWithRoles } from '../users/read-user.ts';
import { enterRecoveryCode, enterTotp } from './claim.ts';
import { enrol } from './enrol.ts';
import { shownRecoveryCodes } from './store.ts';

/** In a session of the user. */
const create = withOwnSession<Parameters<Routes['totps']['create']>[1], Awaited<ReturnType<Routes['totps']['create']>>>(
  async (services, { body, session }) => {
    const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, body.expiration_minutes);
    const { user_id } = session;
    const made = await enrol(services, user_id, minutes, (tx) => holdSession(services, tx, session));
    const user = await readUserWithRoles(services.project, services.db, user_id);
    return { ...made, user_id, user, __user: user };
  },
);

export const totps: Routes['totps'] = {
  async create(services, call) {
    const step = await presentedStep(services, call.caller);
    if (step === undefined) return create(services, call);
    requireListed(step, 'enrol', 'totp');
    const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, call.body.expiration_minutes);
    const { user_id } = step.row;
    const owner = { user_id, session: undefined, step };
    const made = await enrol(services, user_id, minutes, (tx) => holdOwner(services, tx, owner));
    const user = await readUserWithRoles(services.project, services.db, user_id);
    return { ...made, user_id, user };
  },

  async authenticate(services, { body, caller }) {
    const owner = await stepOwner(services, caller);
    const { totp_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: owner.user_id, owner, enter };
    const { reply, totp_id } = await enterTotp(services, claimant, totp_code);
    return { ...reply, totp_id };
  },

  recoveryCodes: withProvenSession(async (services, { session: { user_id } }) => ({
    user_id,
    totps: await shownRecoveryCodes(services, user_id),
  })),

  async recover(services, { body, caller }) {
    const owner = await stepOwner(services, caller);
    const { recovery_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: owner.user_id, owner, enter };
    const { reply, totp_id } = await enterRecoveryCode(services, claimant, recovery_code);
    return { ...reply, totp_id };
  },
};
