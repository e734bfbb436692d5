import { checkCode, faultRefusal } from '../../../src/domain/rules/passcodes.ts';
import { FACTORS } from '../../../src/domain/rules/factors.ts';
import { isTaken } from '../../../src/domain/rules/accounts.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { derivedId } from '../security/derived-id.ts';
import { holdProvenSession, withProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logIn, logInByEmail } from '../sessions/log-in.ts';
import type { AuthenticatedReply } from '../sessions/store.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../security/limits.ts';
import { post, type Draft } from '../outbox/store.ts';
import { issuePasscode, redeemPasscode, tryPasscode, type Passcode, type PasscodeRequest } from './store.ts';
import { attachPhone, confirmPhone, findOrCreatePhone, findPhone, lockPhone } from '../users/phone-numbers.ts';
import { addressOf, attachEmail, findEmail, findOrCreateEmail } from '../users/store.ts';
import { checkSending, checkTexting, duration } from '../outbox/sending.ts';

type Channel = Passcode['channel'];

/** Where a passcode is sent, and what entering it does. */
type Destination = Omit<PasscodeRequest, 'channel' | 'minutes' | 'from'> & { readonly to: string };

interface Sending {
  readonly channel: Channel;
  readonly minutes: number;
  /** Where the request came from. */
  readonly from: string;
  /** Ends a text so that the browser can fill the code in. */
  readonly autofill?: boolean;
  readonly find: (tx: Db) => Promise<Destination>;
}

/**
 * Answers the id of this send, which only the caller learns. While it is valid, a newer code can be entered with it
 * too.
 */
async function send(
  services: Services,
  { channel, minutes, from, autofill, find }: Sending,
): Promise<{ method_id: string }> {
  const { method_id, message } = await transaction(services.db, async (tx) => {
    const { to, ...destination } = await find(tx);
    const request = { ...destination, channel, minutes, from };
    const { passcode_id, code } = await issuePasscode(services, tx, request);
    const draft = channel === 'email' ? mail(services, code, minutes) : text(services, code, autofill === true);
    return { method_id: passcode_id, message: await post(services, tx, { ...draft, channel, to, code, minutes }) };
  });
  services.inbox.publish(message);
  return { method_id };
}

type Written = Pick<Draft, 'subject' | 'text'>;

function mail({ project }: Services, code: string, minutes: number): Written {
  return {
    subject: `${code} is your ${project.name} passcode`,
    text: `Your passcode for ${project.name} is ${code}.\nIt works once, within ${duration(minutes)}. If you did not ask for it, ignore this message.`,
  };
}

/** One segment where the project's name allows; the last line is the one that browsers look for (WebOTP). */
function text({ project }: Services, code: string, autofill: boolean): Written {
  const site = new URL(project.default_login_redirect_url).hostname;
  return { subject: '', text: `Your ${project.name} passcode is ${code}.${autofill ? `\n\n@${site} #${code}` : ''}` };
}

interface EmailBody {
  readonly email: string;
  readonly expiration_minutes?: number | undefined;
}

interface PhoneBody {
  readonly phone_number: string;
  readonly expiration_minutes?: number | undefined;
  readonly enable_autofill?: boolean | undefined;
  readonly autofill_session_duration_minutes?: number | undefined;
}

interface Asked<Body> {
  readonly body: Body;
  readonly caller: Caller;
}

/** Checks a request for an email and answers the parameters of the send. */
async function byEmail(services: Services, { body, caller }: Asked<EmailBody>) {
  const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, body.expiration_minutes);
  await checkSending(services, body.email, caller);
  return { channel: 'email', minutes, from: caller.address } as const;
}

/** Checks a request for a text and answers the parameters of the send. */
async function byText(services: Services, channel: 'sms' | 'whatsapp', { body, caller }: Asked<PhoneBody>) {
  const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, body.expiration_minutes);
  if (body.autofill_session_duration_minutes !== undefined) checkDuration(body.autofill_session_duration_minutes);
  await checkTexting(services, body.phone_number, caller);
  return { channel, minutes, from: caller.address, autofill: body.enable_autofill === true };
}

/** The reply reveals whether the user exists, so the call counts as a search. */
async function asSearch(services: Services, caller: Caller): Promise<void> {
  await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
}

/** Signs up an unknown number. */
async function textLoginOrCreate(services: Services, channel: 'sms' | 'whatsapp', asked: Asked<PhoneBody>) {
  const sending = await byText(services, channel, asked);
  return send(services, {
    ...sending,
    find: async (tx) => {
      const phone = await findOrCreatePhone(services, tx, asked.body.phone_number);
      return { method_id: phone.phone_id, user_id: phone.user_id, to: phone.phone_number };
    },
  });
}

/** Sends to a known number only. */
async function textPrimary(services: Services, channel: 'sms' | 'whatsapp', asked: Asked<PhoneBody>) {
  const sending = await byText(services, channel, asked);
  await asSearch(services, asked.caller);
  return send(services, {
    ...sending,
    find: async (tx) => {
      const phone = await findPhone(tx, asked.body.phone_number);
      if (phone === undefined) throw new Refusal('phone_number_not_found');
      return { method_id: phone.phone_id, user_id: phone.user_id, to: phone.phone_number };
    },
  });
}

/** Sends to a number that is added to the signed-in user when the code is entered. */
async function textSecondary(
  services: Services,
  channel: 'sms' | 'whatsapp',
  asked: Asked<PhoneBody> & { readonly session: CurrentSession },
) {
  const { user_id } = asked.session;
  const sending = await byText(services, channel, asked);
  await asSearch(services, asked.caller);
  const { phone_number: address } = asked.body;
  return send(services, {
    ...sending,
    find: async (tx) => {
      const known = await findPhone(tx, address);
      const mine = known?.user_id === user_id;
      if (known !== undefined && !mine && isTaken(known)) throw new Refusal('duplicate_phone_number');
      const method_id = mine ? known.phone_id : derivedId(services.keys.codeKey, 'phone-number', user_id, address);
      return { method_id, user_id, to: address, adds: { user_id, address } };
    },
  });
}

interface Redeeming {
  readonly passcode: Passcode;
  readonly minutes: number;
  readonly caller: Caller;
  /** The session that a code which adds an address or number must be entered in; null for a code that logs in. */
  readonly current: CurrentSession | null;
}

/**
 * Logs in the user whom the passcode was sent to. Undefined when it was spent or the address removed in the meantime.
 */
async function redeem(
  services: Services,
  tx: Db,
  { passcode, minutes, caller, current }: Redeeming,
): Promise<AuthenticatedReply | undefined> {
  const { method_id, channel, adds_to: user_id, address } = passcode;
  if (current !== null && address !== null) {
    // The code must be entered in a session of the user who asked for it; else a person who was tricked into entering
    // it would give away their address.
    const { user, session } = await holdProvenSession(services, tx, current);
    if (user.user_id !== user_id || !(await redeemPasscode(tx, passcode))) return undefined;
    const added = { id: method_id, address };
    const factor =
      channel === 'email'
        ? FACTORS.email('otp', await attachEmail(services, tx, user, added))
        : FACTORS.phone(channel, await attachPhone(services, tx, user, added));
    return logIn(services, tx, { user, factor, minutes, caller, presented: session });
  }
  const spend = () => redeemPasscode(tx, passcode);
  if (channel === 'email')
    return logInByEmail(services, tx, { email_id: method_id, spend, type: 'otp', minutes, caller });
  const found = await lockPhone(tx, method_id);
  if (found === undefined || !(await spend())) return undefined;
  const { user, phone } = await confirmPhone(tx, found);
  const presented = await caller.session.findIn(tx);
  return logIn(services, tx, { user, factor: FACTORS.phone(channel, phone), minutes, caller, presented });
}

export const otps: Routes['otps'] = {
  async emailLoginOrCreate(services, asked) {
    const sending = await byEmail(services, asked);
    return send(services, {
      ...sending,
      find: async (tx) => {
        const email = await findOrCreateEmail(services, tx, asked.body.email, 'pending');
        return { method_id: email.email_id, user_id: email.user_id, to: email.email };
      },
    });
  },

  async emailSendPrimary(services, asked) {
    const sending = await byEmail(services, asked);
    await asSearch(services, asked.caller);
    return send(services, {
      ...sending,
      find: async (tx) => {
        const email = await findEmail(tx, asked.body.email);
        if (email === undefined) throw new Refusal('email_not_found');
        return { method_id: email.email_id, user_id: email.user_id, to: email.email };
      },
    });
  },

  emailSendSecondary: withProvenSession(async (services, asked) => {
    const sending = await byEmail(services, asked);
    await asSearch(services, asked.caller);
    return send(services, {
      ...sending,
      find: (tx) => addressOf(services, tx, asked.session.user_id, asked.body.email),
    });
  }),

  smsLoginOrCreate: (services, asked) => textLoginOrCreate(services, 'sms', asked),
  smsSendPrimary: (services, asked) => textPrimary(services, 'sms', asked),
  smsSendSecondary: withProvenSession((services, asked) => textSecondary(services, 'sms', asked)),
  whatsappLoginOrCreate: (services, asked) => textLoginOrCreate(services, 'whatsapp', asked),
  whatsappSendPrimary: (services, asked) => textPrimary(services, 'whatsapp', asked),
  whatsappSendSecondary: withProvenSession((services, asked) => textSecondary(services, 'whatsapp', asked)),

  async authenticate(services, { body, caller }) {
    const { token: code, method_id, session_duration_minutes: minutes } = body;
    checkDuration(minutes);
    checkCode(code);
    const passcode = await tryPasscode(services, method_id, code);
    if (typeof passcode === 'string') {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      throw faultRefusal(passcode);
    }
    const current = passcode.adds_to === null ? null : await caller.session.require();
    const reply = await transaction(services.db, (tx) => redeem(services, tx, { passcode, minutes, caller, current }));
    if (reply === undefined) throw new Refusal('otp_code_not_found');
    return { ...reply, method_id: passcode.method_id };
  },
};
