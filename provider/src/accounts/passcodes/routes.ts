import { checkDuration } from '#domain/rules/lifetimes.ts';
import type { PageSender } from '#provider/messages/outbox/senders.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { MessageServices } from '../services.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { holdSession, requireSessionFor } from '../sessions/reading/admission.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { withSessionFor } from '../sessions/login/log-in.ts';
import { mfaRulesOf } from '../sessions/factors/policy.ts';
import { findContact } from '../users/contacts.ts';
import { byPhone } from '#domain/contacts/by-phone.ts';
import { enterPasscode } from './redeem.ts';
import {
  emailOf,
  phoneNumberOf,
  sendAddition,
  sendLoginOrCreate,
  sendToKnown,
  type PasscodeOptions,
  type SendPasscodeInput,
  type SentPasscode,
} from './sending.ts';

interface SendCall<Body> {
  readonly body: Body;
  readonly caller: Caller;
  readonly sender: PageSender;
}

/** Tells a client only the id of the send, not even whether the user is new. */
async function idOf(passcode: Promise<SentPasscode>): Promise<{ readonly method_id: string }> {
  return { method_id: (await passcode).passcode_id };
}

/**
 * True if the number belongs to the user and the project accepts it as a second factor. The session that requests this message does not
 * have the second factor yet, so the message must not require it. It adds nothing to the account.
 */
async function isSecondFactor(
  services: Pick<MessageServices, 'db' | 'project'>,
  userId: string,
  { channel, value }: SendPasscodeInput,
): Promise<boolean> {
  if (channel === 'email' || mfaRulesOf(services)?.factors.includes(channel) !== true) return false;
  const contact = await findContact(services.db, 'phone', value);
  return contact?.user_id === userId && contact.verified;
}

/** The calls of one channel. */
function callsOf<Body extends PasscodeOptions>(channel: SendPasscodeInput['channel'], valueOf: (body: Body) => string) {
  const inputOf = ({ body, caller, sender }: SendCall<Body>): SendPasscodeInput => {
    return { channel, value: valueOf(body), body, caller, sender };
  };
  return {
    loginOrCreate: (services: MessageServices, call: SendCall<Body>) =>
      idOf(sendLoginOrCreate(services, inputOf(call), 'pending')),
    sendPrimary: (services: MessageServices, call: SendCall<Body>) => idOf(sendToKnown(services, inputOf(call))),
    sendSecondary: async (services: MessageServices, call: SendCall<Body> & { readonly user_id: string }) => {
      const { user_id } = call;
      const input = inputOf(call);
      if (await isSecondFactor(services, user_id, input)) return idOf(sendToKnown(services, input));
      const session = await requireSessionFor(services, 'adds', call.caller);
      const hold = (tx: Db) => holdSession(services, tx, session);
      return idOf(sendAddition(services, input, { user_id, needs_session: true, hold }));
    },
  };
}

const email = callsOf('email', emailOf);

export const otps: Routes['otps'] = {
  emailLoginOrCreate: email.loginOrCreate,
  emailSendPrimary: email.sendPrimary,
  emailSendSecondary: email.sendSecondary,
  ...byPhone((channel) => callsOf(channel, phoneNumberOf)),

  async authenticate(services, { body, caller }) {
    const { token: code, method_id: passcode_id, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const { reply, method_id } = await enterPasscode(services, { passcode_id, code, caller, enter });
    return { ...reply, method_id };
  },
};
