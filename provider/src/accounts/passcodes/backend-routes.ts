import type { BackendRoutes } from '../sessions/contract.ts';
import { enterBackend } from '../sessions/backend-log-in.ts';
import { recipientOf, statusOfNew } from '../sessions/additions.ts';
import { enterPasscode } from './redeem.ts';
import {
  mailAddition,
  mailLoginOrCreate,
  mailToKnown,
  textAddition,
  textLoginOrCreate,
  textToKnown,
  type SentPasscode,
} from './sending.ts';
import { newestSend } from './store.ts';

type Otps = BackendRoutes['otps'];

const mailed = ({ user_id, method_id, address_id: email_id }: SentPasscode) => ({ user_id, method_id, email_id });
const texted = ({ user_id, method_id, address_id: phone_id }: SentPasscode) => ({ user_id, method_id, phone_id });

/** The calls of one channel for texts. */
const texts = (channel: 'sms' | 'whatsapp') =>
  ({
    loginOrCreate: async (services, { body, caller }) => {
      const sent = await textLoginOrCreate(services, { channel, body, caller }, statusOfNew(body));
      return { ...texted(sent), user_created: sent.user_created };
    },
    send: async (services, { body, caller }) => {
      const recipient = await recipientOf(services, body, caller);
      const asked = { channel, body, caller };
      const sent = recipient === undefined ? textToKnown(services, asked) : textAddition(services, asked, recipient);
      return texted(await sent);
    },
  }) satisfies { readonly loginOrCreate: Otps['smsLoginOrCreate']; readonly send: Otps['smsSend'] };

const [sms, whatsapp] = [texts('sms'), texts('whatsapp')];

export const otps: Otps = {
  async emailLoginOrCreate(services, { body, caller }) {
    const sent = await mailLoginOrCreate(services, { body, caller }, statusOfNew(body));
    return { ...mailed(sent), user_created: sent.user_created };
  },

  async emailSend(services, asked) {
    const recipient = await recipientOf(services, asked.body, asked.caller);
    const sent = recipient === undefined ? mailToKnown(services, asked) : mailAddition(services, asked, recipient);
    return mailed(await sent);
  },

  smsLoginOrCreate: sms.loginOrCreate,
  smsSend: sms.send,
  whatsappLoginOrCreate: whatsapp.loginOrCreate,
  whatsappSend: whatsapp.send,

  async authenticate(services, { body, caller }) {
    const { code, options } = body;
    const method_id = await newestSend(services, body.method_id, caller.address);
    const enter = enterBackend(services, { body, caller });
    const { reply, ...verified } = await enterPasscode(services, { method_id, code, options, caller, enter });
    return { ...reply, ...verified };
  },
};
