import { otps } from '../../../application/api/index.ts';
import { OTP_EXPIRATION_MINUTES } from '../../../domain/otp.ts';
import type { Answers, Caller } from './answers.ts';
import {
  attachEmail,
  attachPhone,
  checkEmail,
  checkPhoneNumber,
  confirmEmail,
  confirmPhone,
  findEmail,
  findOrCreateEmail,
  findOrCreatePhone,
  findPhone,
  isTaken,
} from './people.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, minutesIn, requireSession, sessionOf, type NewFactor } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { Adding, Passcode } from './tables.ts';

const MAX_TRIES = 5;
/** People ask again and then enter the first mail's code. */
const COUNTING_CODES = 3;

interface Destination {
  readonly to: string;
  readonly method_id: string;
  readonly adds?: Adding;
}

/** One-time passcodes by SMS, WhatsApp and email: six digits, five tries for each send, the last three count. */
export function answerCodes(answers: Answers, state: ServerState): void {
  const send = (channel: Passcode['channel'], minutes: number, { to, method_id, adds }: Destination): object => {
    const code = String(100_000 + ((state.next() * 7919) % 900_000));
    const passcode_id = state.id(channel === 'email' ? 'email' : 'phone-number');
    state.codes.set(passcode_id, {
      passcode_id,
      method_id,
      channel,
      code,
      expiresAt: state.in(minutes),
      adds: adds ?? null,
      tries: 0,
    });
    state.inbox.unshift({ channel, to, code });
    return { method_id: passcode_id };
  };
  const minutesOf = (given: number | undefined): number => minutesIn(given, OTP_EXPIRATION_MINUTES, 1, 10);

  answers
    .to(otps.emailLoginOrCreate, ({ email, expiration_minutes }) => {
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      const known = findOrCreateEmail(state, email, 'pending');
      return send('email', minutes, { to: known.email, method_id: known.email_id });
    })
    .to(otps.emailSendPrimary, ({ email, expiration_minutes }) => {
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      const known = findEmail(state, email);
      if (known === undefined) throw new Refused('email_not_found');
      return send('email', minutes, { to: known.email, method_id: known.email_id });
    })
    .to(otps.emailSendSecondary, ({ email, expiration_minutes }, caller) => {
      const { user_id } = requireSession(state, caller).session;
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      return send('email', minutes, emailToAdd(state, user_id, email));
    })
    .to(otps.authenticate, (body, caller) => authenticate(state, body, caller));

  for (const channel of ['sms', 'whatsapp'] as const) {
    answers
      .to(otps[`${channel}LoginOrCreate`], ({ phone_number, expiration_minutes }) => {
        const minutes = minutesOf(expiration_minutes);
        checkPhoneNumber(phone_number);
        const known = findOrCreatePhone(state, phone_number);
        return send(channel, minutes, { to: known.phone_number, method_id: known.phone_id });
      })
      .to(otps[`${channel}SendPrimary`], ({ phone_number, expiration_minutes }) => {
        const minutes = minutesOf(expiration_minutes);
        checkPhoneNumber(phone_number);
        const known = findPhone(state, phone_number);
        if (known === undefined) throw new Refused('phone_number_not_found');
        return send(channel, minutes, { to: known.phone_number, method_id: known.phone_id });
      })
      .to(otps[`${channel}SendSecondary`], ({ phone_number, expiration_minutes }, caller) => {
        const { user_id } = requireSession(state, caller).session;
        const minutes = minutesOf(expiration_minutes);
        checkPhoneNumber(phone_number);
        const known = findPhone(state, phone_number);
        const mine = known?.user.user_id === user_id;
        if (known !== undefined && !mine && isTaken(known)) throw new Refused('duplicate_phone_number');
        const method_id = mine ? known.phone_id : `phone-number-test-${user_id}-${phone_number}`;
        return send(channel, minutes, { to: phone_number, method_id, adds: { user_id, address: phone_number } });
      });
  }
}

/** The address as one that is added to the user; refuses what is another's. */
export function emailToAdd(state: ServerState, user_id: string, email: string): Required<Destination> {
  const known = findEmail(state, email);
  const mine = known?.user.user_id === user_id;
  if (known !== undefined && !mine && isTaken(known)) throw new Refused('duplicate_email');
  const method_id = mine ? known.email_id : `email-test-${user_id}-${email.toLowerCase()}`;
  return { method_id, to: mine ? known.email : email, adds: { user_id, address: email } };
}

interface Entered {
  readonly token: string;
  readonly method_id: string;
  readonly session_duration_minutes: number;
}

function authenticate(state: ServerState, entered: Entered, caller: Caller): object {
  const { token, method_id, session_duration_minutes: minutes } = entered;
  checkDuration(minutes);
  if (!/^\d{6}$/u.test(token)) throw new Refused('invalid_code');
  const tried = state.codes.get(method_id);
  const refused = (reason: string): Refused => new Refused('otp_code_not_found', { reason });
  if (tried === undefined) throw refused('wrong');
  if (tried.expiresAt <= state.now()) throw refused('expired');
  if (tried.tries >= MAX_TRIES) throw refused('tries_used');
  tried.tries += 1;
  const found = [tried, ...othersOf(state, tried)].find(({ code }) => code === token);
  if (found === undefined) throw refused(tried.tries < MAX_TRIES ? 'wrong' : 'tries_used');
  const proven = found.adds === null ? reached(state, found, caller) : added(state, found, found.adds, caller);
  state.codes.delete(found.passcode_id);
  return { ...logIn(state, { ...proven, minutes, caller }), method_id: found.method_id };
}

/** The last live codes that went to the same place for the same purpose. */
function othersOf(state: ServerState, tried: Passcode): readonly Passcode[] {
  const alike = [...state.codes.values()].filter(
    (other) =>
      other !== tried &&
      other.method_id === tried.method_id &&
      other.adds?.user_id === tried.adds?.user_id &&
      other.expiresAt > state.now(),
  );
  return alike.slice(1 - COUNTING_CODES);
}

interface Reached {
  readonly user_id: string;
  readonly factor: NewFactor;
}

/** Whoever the passcode was sent to. */
function reached(state: ServerState, { method_id, channel }: Passcode, caller: Caller): Reached {
  const keep = sessionOf(state, caller)?.session.user_id ?? null;
  if (channel === 'email') {
    const email = confirmEmail(state, method_id, keep);
    if (email !== undefined) return { user_id: email.user.user_id, factor: emailFactor('otp', email) };
  } else {
    const phone = confirmPhone(state, method_id);
    if (phone !== undefined) return { user_id: phone.user.user_id, factor: phoneFactor(channel, phone) };
  }
  throw new Refused('otp_code_not_found');
}

/** The signed-in user who asked for it, and nobody else. */
function added(state: ServerState, { method_id, channel }: Passcode, adds: Adding, caller: Caller): Reached {
  const { user_id } = requireSession(state, caller).session;
  if (user_id !== adds.user_id) throw new Refused('otp_code_not_found');
  const factor =
    channel === 'email'
      ? emailFactor('otp', attachEmail(state, adds, method_id))
      : phoneFactor(channel, attachPhone(state, adds, method_id));
  return { user_id, factor };
}

export function emailFactor(
  type: 'otp' | 'magic_link',
  { email_id, email }: { readonly email_id: string; readonly email: string },
): NewFactor {
  return { type, delivery_method: 'email', email_factor: { email_id, email_address: email } };
}

function phoneFactor(
  channel: 'sms' | 'whatsapp',
  { phone_id, phone_number }: { readonly phone_id: string; readonly phone_number: string },
): NewFactor {
  return { type: 'otp', delivery_method: channel, phone_number_factor: { phone_id, phone_number } };
}
