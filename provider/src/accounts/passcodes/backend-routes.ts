import { recipientOf, statusOfNew } from '../sessions/login/additions.ts';
import type { AdmittedBy } from '../sessions/reading/admission.ts';
import type { backendGates } from '../sessions/reading/backend-gates.ts';
import { enterBackend } from '../sessions/login/backend-log-in.ts';
import type { BackendCaller, BackendRoutes } from '../sessions/reading/contract.ts';
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
import { passcodeIdOf } from './store.ts';
import type { MessageServices } from '../services.ts';

interface SendCall<Body> {
  readonly body: Body;
  readonly caller: BackendCaller;
}

/** The session that the app's own server presents, if any. */
type Sender = AdmittedBy<(typeof backendGates)['otps']['emailSend']>;

interface CallBody extends PasscodeOptions {
  readonly user_id?: string | undefined;
  readonly create_user_as_pending?: boolean | undefined;
}

/** The calls of one channel. */
function callsOf<Body extends CallBody, Id extends object>(
  channel: SendPasscodeInput['channel'],
  valueOf: (body: Body) => string,
  idOf: (methodId: string) => Id,
) {
  const inputOf = ({ body, caller }: SendCall<Body>): SendPasscodeInput => {
    return { channel, value: valueOf(body), body, caller, sender: caller.sender };
  };
  const replyOf = ({ user_id, passcode_id, method_id }: SentPasscode) => {
    return { user_id, method_id: passcode_id, ...idOf(method_id) };
  };
  return {
    loginOrCreate: async (services: MessageServices, call: SendCall<Body>) => {
      const passcode = await sendLoginOrCreate(services, inputOf(call), statusOfNew(call.body));
      return { ...replyOf(passcode), user_created: passcode.user_created };
    },
    send: async (services: MessageServices, call: SendCall<Body> & Sender) => {
      const recipient = await recipientOf(services, call.body, call.session);
      const input = inputOf(call);
      const passcode =
        recipient === undefined ? sendToKnown(services, input) : sendAddition(services, input, recipient);
      return replyOf(await passcode);
    },
  };
}

const email = callsOf('email', emailOf, (email_id) => ({ email_id }));

export const otps: BackendRoutes['otps'] = {
  emailLoginOrCreate: email.loginOrCreate,
  emailSend: email.send,
  ...byPhone((channel) => callsOf(channel, phoneNumberOf, (phone_id) => ({ phone_id }))),

  async authenticate(services, { body, caller }) {
    const { code, options } = body;
    const passcode_id = await passcodeIdOf(services, body.method_id, caller.address);
    const enter = enterBackend(services, { body, caller });
    const { reply, ...verified } = await enterPasscode(services, { passcode_id, code, options, caller, enter });
    return { ...reply, ...verified };
  },
};
