import { checkDuration } from '../../../../src/domain/rules/lifetimes.ts';
import type { MessageServices } from '../services.ts';
import type { Routes } from '../sessions/contract.ts';
import { withProvenSession, type Caller } from '../sessions/current.ts';
import { withSessionFor } from '../sessions/log-in.ts';
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
}

/** A client learns the id of the send and no more: not even whether the user is new. */
async function idOf(sent: Promise<SentPasscode>): Promise<{ readonly method_id: string }> {
  return { method_id: (await sent).passcode_id };
}

/** The calls of one channel. */
function callsOf<Body extends PasscodeOptions>(channel: SendPasscodeInput['channel'], valueOf: (body: Body) => string) {
  const inputOf = ({ body, caller }: SendCall<Body>): SendPasscodeInput => {
    return { channel, value: valueOf(body), body, caller };
  };
  return {
    loginOrCreate: (services: MessageServices, call: SendCall<Body>) =>
      idOf(sendLoginOrCreate(services, inputOf(call), 'pending')),
    sendPrimary: (services: MessageServices, call: SendCall<Body>) => idOf(sendToKnown(services, inputOf(call))),
    sendSecondary: withProvenSession<SendCall<Body>, { readonly method_id: string }>((services, { session, ...call }) =>
      idOf(sendAddition(services, inputOf(call), { user_id: session.user_id, needs_session: true })),
    ),
  };
}

const email = callsOf('email', emailOf);
const sms = callsOf('sms', phoneNumberOf);
const whatsapp = callsOf('whatsapp', phoneNumberOf);

export const otps: Routes['otps'] = {
  emailLoginOrCreate: email.loginOrCreate,
  emailSendPrimary: email.sendPrimary,
  emailSendSecondary: email.sendSecondary,
  smsLoginOrCreate: sms.loginOrCreate,
  smsSendPrimary: sms.sendPrimary,
  smsSendSecondary: sms.sendSecondary,
  whatsappLoginOrCreate: whatsapp.loginOrCreate,
  whatsappSendPrimary: whatsapp.sendPrimary,
  whatsappSendSecondary: whatsapp.sendSecondary,

  async authenticate(services, { body, caller }) {
    const { token: code, method_id: passcode_id, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const { reply, method_id } = await enterPasscode(services, { passcode_id, code, caller, enter });
    return { ...reply, method_id };
  },
};
