import { notYet } from './not-yet.ts';
import { OTP_EXPIRATION_MINUTES, OTP_LENGTH } from '../../../src/domain/otp.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { peek, take, takeForNetwork } from '../store/limits.ts';
import { post } from '../store/outbox.ts';
import { issuePasscode, redeemPasscode, tryPasscode } from '../store/passcodes.ts';
import { checkDuration } from '../store/sessions.ts';
import { findOrCreateEmail } from '../store/users.ts';
import { logInByEmail } from './authenticated.ts';
import { checkSending, duration, minutesIn } from './sending.ts';

const EXPIRATION = { field: 'expiration_minutes', fallback: OTP_EXPIRATION_MINUTES, min: 1, max: 10 };
const CODE = new RegExp(`^[0-9]{${OTP_LENGTH}}$`, 'u');

export const otps: Routes['otps'] = {
  async emailLoginOrCreate(services, { body, caller }) {
    const minutes = minutesIn(EXPIRATION, body.expiration_minutes);
    await checkSending(services, body.email, caller);
    const { email, message } = await transaction(services.db, async (tx) => {
      const to = await findOrCreateEmail(services, tx, body.email, 'pending');
      const code = await issuePasscode(services, tx, to.email_id, minutes);
      const sent = await post(services, tx, {
        channel: 'email',
        to: to.email,
        subject: `${code} is your ${services.project.name} passcode`,
        text: `Your passcode for ${services.project.name} is ${code}.\nIt works once, within ${duration(minutes)}. If you did not ask for it, ignore this message.`,
        code,
      });
      return { email: to, message: sent };
    });
    services.inbox.publish(message);
    // The address's own id, the same for every code: a client that resends may keep the one it has.
    return { method_id: email.email_id };
  },

  async authenticate(services, { body, caller }) {
    const { token: code, method_id } = body;
    checkDuration(body.session_duration_minutes);
    if (!CODE.test(code)) throw new Refusal('invalid_code');
    const failures = `otp-failure:${method_id}`;
    const { failuresPerUser, failuresPerNetwork } = services.limits;
    await peek(services, failures, failuresPerUser, 'user_lock_limit_reached');
    const hash = await tryPasscode(services, method_id, code);
    if (hash === null) {
      await takeForNetwork(services, 'failure', caller.address, failuresPerNetwork);
      await take(services, failures, failuresPerUser, 'user_lock_limit_reached');
      throw new Refusal('otp_code_not_found');
    }
    const reply = await transaction(services.db, async (tx) =>
      (await redeemPasscode(tx, method_id, hash))
        ? logInByEmail(services, tx, {
            email_id: method_id,
            type: 'otp',
            minutes: body.session_duration_minutes,
            caller,
          })
        : undefined,
    );
    if (reply === undefined) throw new Refusal('otp_code_not_found');
    return { ...reply, method_id };
  },
  emailSendPrimary: notYet,
  emailSendSecondary: notYet,
  smsLoginOrCreate: notYet,
  smsSendPrimary: notYet,
  smsSendSecondary: notYet,
  whatsappLoginOrCreate: notYet,
  whatsappSendPrimary: notYet,
  whatsappSendSecondary: notYet,
};
