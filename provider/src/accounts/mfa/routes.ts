import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { take, takeForUser } from '#provider/base/security/limits.ts';
import { beginRecovery, cancelRecovery, waitingRecovery } from '../recovery/store.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { holdOwner, holdSession } from '../sessions/reading/admission.ts';
import { mayStop } from '../sessions/factors/disputes.ts';
import { endSessionsOfFactors } from '../sessions/rows/ending.ts';
import { wrongField } from '#provider/project/readers/body-fields.ts';
import { sendAddition, sendToKnown } from '../passcodes/sending.ts';
import { requireListed } from '../sessions/reading/step.ts';
import { forgetTrustedDevice, trustedDevicesOf } from '../sessions/factors/trusted-devices.ts';
import { recoveryCodeSummary, renewRecoveryCodes } from '../totps/store.ts';

function textChannel(channelName: string): PhoneMethod {
  if (isPhoneMethod(channelName)) return channelName;
  throw wrongField('channel', PHONE_METHODS.join(' or '));
}

const OLDER_METHOD =
  'A second factor of this account is disputed: log in again by a method that you had before it, or open the link in a message about it.';

export const mfa: Routes['mfa'] = {
  status: (_, { step }) => Promise.resolve({ mfa: step.mfa }),

  async sendCode(services, { body: { phone_id, channel: channelName, locale }, caller, step, sender }) {
    const channel = textChannel(channelName);
    requireListed(step, 'factors', channel);
    const isListed = step.mfa.phone_numbers.some((phone) => phone.phone_id === phone_id);
    const phone = services.db.selectFrom('phone_numbers').select('phone_number').where('phone_id', '=', phone_id);
    const found = isListed ? await phone.executeTakeFirst() : undefined;
    if (found === undefined) throw new Refusal('phone_number_not_found');
    const message = { channel, value: found.phone_number, body: { locale }, caller, sender };
    const passcode = await sendToKnown(services, message);
    return { method_id: passcode.passcode_id };
  },

  async addPhone(services, { body: { phone_number, channel: channelName, locale }, caller, sender, ...owner }) {
    const channel = textChannel(channelName);
    requireListed(owner.step, 'enrol', channel);
    const hold = (tx: Db) => holdOwner(services, tx, owner);
    const recipient = { user_id: owner.user_id, needs_session: true, hold };
    const message = { channel, value: phone_number, body: { locale }, caller, sender };
    const passcode = await sendAddition(services, message, recipient);
    return { method_id: passcode.passcode_id };
  },

  async startRecovery(services, { step: { row, mfa: lacking, secondStep } }) {
    const { recovery } = lacking;
    if (recovery === null) throw new Refusal('mfa_factor_not_allowed');
    const { recovery_id, available_at } = await transaction(services.db, async (tx) => {
      const { user } = await secondStep.hold(tx, row);
      const { user_id } = user;
      if ((await waitingRecovery(services, tx, user_id)) === undefined) {
        await takeForUser({ ...services, db: tx }, 'recoveries', user_id, services.limits.recoveriesPerUser);
      }
      return beginRecovery(services, tx, user, recovery.hours);
    });
    return { recovery_id, available_at: available_at.toISOString() };
  },

  recovery: async (services, { session }) => {
    const waiting = await waitingRecovery(services, services.db, session.user_id);
    if (waiting === undefined || !(await mayStop(services.db, waiting, session))) return { recovery: null };
    const { recovery_id, available_at } = waiting;
    return { recovery: { recovery_id, available_at: available_at.toISOString() } };
  },

  stopRecovery: async (services, { session }) => {
    await transaction(services.db, async (tx) => {
      const { user, session: current } = await holdSession(services, tx, session);
      const waiting = await waitingRecovery(services, tx, user.user_id);
      if (waiting === undefined) return;
      if (!(await mayStop(tx, waiting, current))) throw new Refusal('login_required', OLDER_METHOD);
      await cancelRecovery(services, tx, user, waiting.recovery_id);
    });
    return {};
  },

  recoveryCodes: async (services, { session: { user_id } }) => ({
    recovery_codes: await recoveryCodeSummary(services, user_id),
  }),

  renewRecoveryCodes: async (services, { caller, session }) => {
    const { newTotpsPerUser: limit } = services.limits;
    await take(services, `new-recovery-codes:${session.user_id}`, limit, 'too_many_requests');
    return transaction(services.db, async (tx) => {
      const { user, session: current } = await holdSession(services, tx, session);
      const recovery_codes = await renewRecoveryCodes(services, tx, user);
      await auditCall(services, tx, caller, { user_id: user.user_id, actor: actorIn(current) });
      return { recovery_codes };
    });
  },

  trustedDevices: async (services, { session: { user_id } }) => ({
    devices: await trustedDevicesOf(services, user_id),
  }),

  /** Also ends the sessions that rely on the trust in the browser. */
  removeTrustedDevice: async (services, { params: { device_id }, caller, session }) => {
    await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const { user_id } = lock.user;
      if (!(await forgetTrustedDevice(tx, user_id, device_id))) throw new Refusal('trusted_device_not_found');
      await endSessionsOfFactors(tx, lock.user, [device_id], lock.session.session_id);
      await auditCall(services, tx, caller, { user_id, actor: actorIn(lock.session), details: { target: device_id } });
    });
    return {};
  },
};
