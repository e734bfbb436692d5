import { checkDuration, minutesIn, TOTP_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import type { Routes } from '../sessions/contract.ts';
import { holdSession, withOwnSession, withProvenSession, withSession } from '../sessions/current.ts';
import { withSessionFor } from '../sessions/log-in.ts';
import { readUser } from '../users/read-user.ts';
import { enterRecoveryCode, enterTotp } from './claim.ts';
import { enrol } from './enrol.ts';
import { shownRecoveryCodes } from './store.ts';

export const totps: Routes['totps'] = {
  create: withOwnSession(async (services, { body, session }) => {
    const minutes = minutesIn('expiration_minutes', TOTP_MINUTES, body.expiration_minutes);
    const { user_id } = session;
    const made = await enrol(services, user_id, minutes, (tx) => holdSession(services, tx, session));
    const user = await readUser(services.db, user_id);
    return { ...made, user_id, user, __user: user };
  }),

  authenticate: withSession(async (services, { body, caller, session }) => {
    const { totp_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: session.user_id, session, enter };
    const { reply, totp_id } = await enterTotp(services, claimant, totp_code);
    return { ...reply, totp_id };
  }),

  recoveryCodes: withProvenSession(async (services, { session: { user_id } }) => ({
    user_id,
    totps: await shownRecoveryCodes(services, user_id),
  })),

  recover: withSession(async (services, { body, caller, session }) => {
    const { recovery_code, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const claimant = { caller, user_id: session.user_id, session, enter };
    const { reply, totp_id } = await enterRecoveryCode(services, claimant, recovery_code);
    return { ...reply, totp_id };
  }),
};
