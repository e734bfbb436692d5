import { checkDuration } from '../../../../src/domain/rules/lifetimes.ts';
import type { Routes } from '../sessions/contract.ts';
import { withProvenSession, type CurrentSession } from '../sessions/current.ts';
import { withSessionFor } from '../sessions/log-in.ts';
import type { Recipient } from '../users/store.ts';
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

/** A client learns the id of the send and no more: not even whether the user is new. */
async function sendOnly(sent: Promise<SentPasscode>): Promise<Pick<SentPasscode, 'method_id'>> {
  const { method_id } = await sent;
  return { method_id };
}

const ownerOf = ({ user_id }: CurrentSession): Recipient => ({ user_id, needs_session: true });

/** The calls of one channel for texts. */
const texts = (channel: 'sms' | 'whatsapp') =>
  ({
    loginOrCreate: (services, asked) => sendOnly(textLoginOrCreate(services, { channel, ...asked }, 'pending')),
    sendPrimary: (services, asked) => sendOnly(textToKnown(services, { channel, ...asked })),
    sendSecondary: withProvenSession((services, { session, ...asked }) =>
      sendOnly(textAddition(services, { channel, ...asked }, ownerOf(session))),
    ),
  }) satisfies {
    readonly loginOrCreate: Routes['otps']['smsLoginOrCreate'];
    readonly sendPrimary: Routes['otps']['smsSendPrimary'];
    readonly sendSecondary: Routes['otps']['smsSendSecondary'];
  };

const [sms, whatsapp] = [texts('sms'), texts('whatsapp')];

export const otps: Routes['otps'] = {
  emailLoginOrCreate: (services, asked) => sendOnly(mailLoginOrCreate(services, asked, 'pending')),
  emailSendPrimary: (services, asked) => sendOnly(mailToKnown(services, asked)),
  emailSendSecondary: withProvenSession((services, { session, ...asked }) =>
    sendOnly(mailAddition(services, asked, ownerOf(session))),
  ),
  smsLoginOrCreate: sms.loginOrCreate,
  smsSendPrimary: sms.sendPrimary,
  smsSendSecondary: sms.sendSecondary,
  whatsappLoginOrCreate: whatsapp.loginOrCreate,
  whatsappSendPrimary: whatsapp.sendPrimary,
  whatsappSendSecondary: whatsapp.sendSecondary,

  async authenticate(services, { body, caller }) {
    const { token: code, method_id: sent, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    const enter = withSessionFor(services, { minutes, caller });
    const { reply, method_id } = await enterPasscode(services, { method_id: sent, code, caller, enter });
    return { ...reply, method_id };
  },
};
