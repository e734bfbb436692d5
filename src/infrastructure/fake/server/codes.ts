import { otps } from '../../../application/api/index.ts';
import { checkEmail, emailKey, isTaken } from '../../../domain/rules/accounts.ts';
import { FACTORS, type NewFactor } from '../../../domain/rules/factors.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '../../../domain/rules/lifetimes.ts';
import { checkCode, deadSend, faultRefusal, judgePasscode, MAX_TRIES } from '../../../domain/rules/passcodes.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import type { Answers, Caller } from './answers.ts';
import {
  attachEmail,
  attachPhone,
  checkPhoneNumber,
  confirmEmail,
  confirmPhone,
  findEmail,
  findOrCreateEmail,
  findOrCreatePhone,
  findPhone,
} from './people.ts';
import { logIn, requireProvenSession } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { Passcode } from './tables.ts';

/** The destination of a message, and the effect of its code. */
interface Destination extends Pick<Passcode, 'method_id' | 'user_id' | 'adds'> {
  readonly to: string;
}

/** One-time passcodes by SMS, WhatsApp and email. */
export function answerCodes(answers: Answers, state: ServerState): void {
  const send = (channel: Passcode['channel'], minutes: number, { to, ...destination }: Destination): object => {
    const code = String(100_000 + ((state.next() * 7919) % 900_000));
    const passcode_id = state.id(channel === 'email' ? 'email' : 'phone-number');
    state.codes.set(passcode_id, {
      ...destination,
      passcode_id,
      channel,
      code,
      expiresAt: state.in(minutes),
      tries: 0,
    });
    state.inbox.unshift({ channel, to, code });
    return { method_id: passcode_id };
  };
  const minutesOf = (given: number | undefined): number => minutesIn('expiration_minutes', PASSCODE_MINUTES, given);

  answers
    .to(otps.emailLoginOrCreate, ({ email, expiration_minutes }) => {
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      const { email_id: method_id, email: to, user_id } = findOrCreateEmail(state, email, 'pending');
      return send('email', minutes, { to, method_id, user_id, adds: null });
    })
    .to(otps.emailSendPrimary, ({ email, expiration_minutes }) => {
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      const known = findEmail(state, email);
      if (known === undefined) throw new Refusal('email_not_found');
      return send('email', minutes, { to: known.email, method_id: known.email_id, user_id: known.user_id, adds: null });
    })
    .to(otps.emailSendSecondary, ({ email, expiration_minutes }, caller) => {
      const { user_id } = requireProvenSession(state, caller);
      const minutes = minutesOf(expiration_minutes);
      checkEmail(email);
      return send('email', minutes, emailToAdd(state, user_id, email));
    })
    .to(otps.authenticate, (body, caller) => authenticate(state, body, caller));

  for (const channel of ['sms', 'whatsapp'] as const) {
    const minutesFor = (body: TextBody): number => {
      if (body.autofill_session_duration_minutes !== undefined) checkDuration(body.autofill_session_duration_minutes);
      const minutes = minutesOf(body.expiration_minutes);
      checkPhoneNumber(body.phone_number);
      return minutes;
    };
    answers
      .to(otps[`${channel}LoginOrCreate`], (body) => {
        const minutes = minutesFor(body);
        const { phone_id: method_id, phone_number: to, user_id } = findOrCreatePhone(state, body.phone_number);
        return send(channel, minutes, { to, method_id, user_id, adds: null });
      })
      .to(otps[`${channel}SendPrimary`], (body) => {
        const minutes = minutesFor(body);
        const known = findPhone(state, body.phone_number);
        if (known === undefined) throw new Refusal('phone_number_not_found');
        const { phone_id: method_id, phone_number: to, user_id } = known;
        return send(channel, minutes, { to, method_id, user_id, adds: null });
      })
      .to(otps[`${channel}SendSecondary`], (body, caller) => {
        const { user_id } = requireProvenSession(state, caller);
        const minutes = minutesFor(body);
        const { phone_number: to } = body;
        const known = findPhone(state, to);
        const mine = known?.user_id === user_id;
        if (known !== undefined && !mine && isTaken(known)) throw new Refusal('duplicate_phone_number');
        const method_id = mine ? known.phone_id : state.addedId('phone-number', user_id, to);
        return send(channel, minutes, { to, method_id, user_id, adds: to });
      });
  }
}

interface TextBody {
  readonly phone_number: string;
  readonly expiration_minutes?: number | undefined;
  readonly autofill_session_duration_minutes?: number | undefined;
}

/** The destination for adding an address to the user; refuses another user's address. */
export function emailToAdd(state: ServerState, user_id: string, email: string): Destination {
  const known = findEmail(state, email);
  const mine = known?.user_id === user_id;
  if (known !== undefined && !mine && isTaken(known)) throw new Refusal('duplicate_email');
  const method_id = mine ? known.email_id : state.addedId('email', user_id, emailKey(email));
  return { method_id, user_id, to: mine ? known.email : email, adds: email };
}

interface CodeSubmission {
  readonly token: string;
  readonly method_id: string;
  readonly session_duration_minutes: number;
}

function authenticate(state: ServerState, entered: CodeSubmission, caller: Caller): object {
  const { token, method_id, session_duration_minutes: minutes } = entered;
  checkDuration(minutes);
  checkCode(token);
  const found = tryPasscode(state, method_id, token);
  const proven = found.adds === null ? reached(state, found) : added(state, found, found.adds, caller);
  state.codes.delete(found.passcode_id);
  return { ...logIn(state, { ...proven, minutes, caller }), method_id: found.method_id };
}

/** The sent passcode that this code matches. Every call uses one try. */
function tryPasscode(state: ServerState, id: string, code: string): Passcode {
  const tried = state.codes.get(id);
  const isLive = ({ expiresAt }: Passcode): boolean => expiresAt > state.now();
  if (tried === undefined || !isLive(tried) || tried.tries >= MAX_TRIES) {
    throw faultRefusal(deadSend(tried && { isLive: isLive(tried) }));
  }
  tried.tries += 1;
  const { method_id, adds, user_id } = tried;
  const others = [...state.codes.values()].filter(
    (other) =>
      other !== tried &&
      other.method_id === method_id &&
      (other.adds === null) === (adds === null) &&
      other.user_id === user_id,
  );
  const judged = judgePasscode({ tried, others: others.reverse(), isLive, is: (each) => each.code === code });
  if (typeof judged === 'string') throw faultRefusal(judged);
  return judged;
}

interface ContactProof {
  readonly user_id: string;
  readonly factor: NewFactor;
}

/** The user to whom the passcode was sent. */
function reached(state: ServerState, { method_id, channel }: Passcode): ContactProof {
  if (channel === 'email') {
    const email = confirmEmail(state, method_id);
    if (email !== undefined) return { user_id: email.user_id, factor: FACTORS.email('otp', email) };
  } else {
    const phone = confirmPhone(state, method_id);
    if (phone !== undefined) return { user_id: phone.user_id, factor: FACTORS.phone(channel, phone) };
  }
  throw new Refusal('otp_code_not_found');
}

/** Adds the address or number to the signed-in user who requested it; refuses any other user. */
function added(state: ServerState, passcode: Passcode, address: string, caller: Caller): ContactProof {
  const session = requireProvenSession(state, caller);
  const { user_id } = session;
  const { method_id: id, channel } = passcode;
  if (user_id !== passcode.user_id) throw new Refusal('otp_code_not_found');
  const factor =
    channel === 'email'
      ? FACTORS.email('otp', attachEmail(state, session, { id, address }))
      : FACTORS.phone(channel, attachPhone(state, session, { id, address }));
  return { user_id, factor };
}
