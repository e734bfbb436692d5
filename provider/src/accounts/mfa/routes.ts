import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { actorIn, auditCall } from '../../base/audit/record.ts';
import { transaction } from '../../base/db/transaction.ts';
import type { Routes } from '../sessions/contract.ts';
import { holdProvenSession, withOwnSession, withProvenSession } from '../sessions/current.ts';
import { endSessionsOfFactors } from '../sessions/ending.ts';
import { requireStep } from '../sessions/step-owner.ts';
import { forgetTrustedDevice, trustedDevicesOf } from '../sessions/trusted-devices.ts';

export const mfa: Routes['mfa'] = {
  async status(services, { caller }) {
    return { mfa: (await requireStep(services, caller)).mfa };
  },

  sendCode: () => Promise.reject(new Refusal('intermediate_session_not_found')),
  addPhone: () => Promise.reject(new Refusal('intermediate_session_not_found')),

  trustedDevices: withOwnSession(async (services, { session: { user_id } }) => ({
    devices: await trustedDevicesOf(services, user_id),
  })),

  /** Ends the sessions that stand on the trust in the browser as well. */
  removeTrustedDevice: withProvenSession(async (services, { params: { device_id }, caller, session }) => {
    await transaction(services.db, async (tx) => {
      const held = await holdProvenSession(services, tx, session);
      const { user_id } = held.user;
      if (!(await forgetTrustedDevice(tx, user_id, device_id))) throw new Refusal('trusted_device_not_found');
      await endSessionsOfFactors(tx, held.user, [device_id], held.session.session_id);
      await auditCall(services, tx, caller, { user_id, actor: actorIn(held.session), details: { target: device_id } });
    });
    return {};
  }),
};
