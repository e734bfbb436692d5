import { otps } from '#application/api/index.ts';
import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import { checkEmail } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, contactKindOf } from '#server-rules/contacts.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '#domain/rules/lifetimes.ts';
import { checkCode, deadSend, faultRefusal, judgePasscode, MAX_TRIES } from '#server-rules/passcodes.ts';
import { isActive } from '#server-rules/mfa-policy.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { admit, requireOwner, requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import {
  attachContact,
  checkPhoneNumber,
  confirmContact,
  contactToAdd,
  contactById,
  findContact,
} from '../state/people.ts';
import { checkWelcome, decoyIds, findWelcome, hidesUsers } from '../state/newcomers.ts';
import { requireListed } from '../state/second-factor.ts';
import { logIn } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { Passcode } from '../state/tables.ts';

/** The contact that receives a message, and the contact that its code adds. */
interface Destination extends Pick<Passcode, 'method_id' | 'user_id'> {
  readonly value: string;
  readonly adds?: string | null;
}

interface SendBody {
  readonly expiration_minutes?: number | undefined;
  readonly autofill_session_duration_minutes?: number | undefined;
}

/** One-time passcodes by SMS, WhatsApp and email. */
export function answerCodes(answers: Answers, state: ServerState): void {
  const email = callsOf(state, 'email', ({ email: value }: SendBody & { readonly email: string }) => value);
  answers
    .to(otps.emailLoginOrCreate, email.loginOrCreate)
    .to(otps.emailSendPrimary, email.sendPrimary)
    .to(otps.emailSendSecondary, email.sendSecondary)
    .to(otps.authenticate, (body, caller) => authenticate(state, body, caller));
  for (const channel of PHONE_METHODS) {
    const text = callsOf(
      state,
      channel,
      ({ phone_number }: SendBody & { readonly phone_number: string }) => phone_number,
    );
    answers
      .to(otps[`${channel}LoginOrCreate`], text.loginOrCreate)
      .to(otps[`${channel}SendPrimary`], text.sendPrimary)
      .to(otps[`${channel}SendSecondary`], text.sendSecondary);
  }
}

/** Sends a passcode. */
export function sendPasscode(
  state: ServerState,
  channel: Passcode['channel'],
  minutes: number,
  { method_id, user_id, value: to, adds = null }: Destination,
): object {
  const digits = String(100_000 + ((state.next() * 7919) % 900_000));
  const code = user_id === null ? null : digits;
  const passcode_id = state.id(CONTACT_KINDS[contactKindOf(channel)].idKind);
  const expiresAt = state.in(minutes);
  state.codes.set(passcode_id, { passcode_id, method_id, user_id, adds, channel, code, expiresAt, tries: 0 });
  // A decoy sends no text, and a mail that explains why no code comes.
  if (code !== null) state.inbox.unshift({ channel, to, code });
  else if (channel === 'email') state.inbox.unshift({ channel, to });
  return { method_id: passcode_id };
}

/** The calls of one channel. */
function callsOf<Body extends SendBody>(
  state: ServerState,
  channel: Passcode['channel'],
  valueOf: (body: Body) => string,
) {
  const kind = contactKindOf(channel);
  const prepare = (body: Body) => {
    const { expiration_minutes, autofill_session_duration_minutes } = body;
    if (autofill_session_duration_minutes !== undefined) checkDuration(autofill_session_duration_minutes);
    const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, expiration_minutes);
    const value = valueOf(body);
    (kind === 'email' ? checkEmail : checkPhoneNumber)(value);
    return { minutes, value };
  };
  const send = (minutes: number, to: Destination): object => sendPasscode(state, channel, minutes, to);
  /** Sends to a contact by which a user may log in, or does the same with a decoy: no reply says which it was. */
  const sendToWelcome = ({ minutes, value }: ReturnType<typeof prepare>, status: 'pending' | null): object => {
    const decoy = { ...decoyIds(state, kind, value), user_id: null, value: value.normalize('NFC') };
    return send(minutes, findWelcome(state, kind, value, status) ?? decoy);
  };
  return {
    loginOrCreate: (body: Body) => sendToWelcome(prepare(body), 'pending'),
    sendPrimary: (body: Body) => {
      const { minutes, value } = prepare(body);
      if (hidesUsers(state)) return sendToWelcome({ minutes, value }, null);
      const contact = findContact(state, kind, value);
      if (contact === undefined) throw new Refusal(CONTACT_KINDS[kind].unknown);
      return send(minutes, contact);
    },
    sendSecondary: (body: Body, caller: Caller) => {
      const { user_id } = requireSession(state, caller);
      const { minutes, value } = prepare(body);
      // A session that lacks the second factor proves it by one of the user's existing numbers.
      const contact = provesByText(state, channel) ? findContact(state, kind, value) : undefined;
      if (contact?.user_id === user_id && contact.verified) return send(minutes, contact);
      admit(state, caller, 'adds');
      return send(minutes, contactToAdd(state, user_id, kind, value));
    },
  };
}

/** True if the project accepts codes by this channel as second factors. */
function provesByText({ settings: { mfa } }: ServerState, channel: Passcode['channel']): boolean {
  return channel !== 'email' && isActive(mfa) && mfa.factors.includes(channel);
}

interface CodeSubmission {
  readonly token: string;
  readonly method_id: string;
  readonly session_duration_minutes: number;
}

function authenticate(state: ServerState, entered: CodeSubmission, caller: Caller): object {
  const { token, method_id: passcodeId, session_duration_minutes: minutes } = entered;
  checkDuration(minutes);
  checkCode(token);
  const found = tryPasscode(state, passcodeId, token);
  const proof = found.adds === null ? reached(state, found) : added(state, found, found.adds, caller);
  state.codes.delete(found.passcode_id);
  return { ...logIn(state, { ...proof, minutes, caller }), method_id: found.method_id };
}

/** The sent passcode that matches this code. Every call uses one try. */
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
  const verdict = judgePasscode({ tried, others: others.reverse(), isLive, is: (each) => each.code === code });
  if (typeof verdict === 'string') throw faultRefusal(verdict);
  return verdict;
}

interface ContactProof {
  readonly user_id: string;
  readonly factor: NewFactor;
}

/** The user to whom the passcode was sent. */
function reached(state: ServerState, { method_id, channel }: Passcode): ContactProof {
  const kind = contactKindOf(channel);
  checkWelcome(state, contactById(state, kind, method_id));
  const contact = confirmContact(state, kind, method_id);
  if (contact === undefined) throw new Refusal('otp_code_not_found');
  return { user_id: contact.user_id, factor: FACTORS.passcode(channel, contact) };
}

/** Adds the contact to the signed-in user who requested it; refuses any other user. */
function added(state: ServerState, passcode: Passcode, value: string, caller: Caller): ContactProof {
  const { method_id, channel } = passcode;
  const { login, session, user_id } = requireOwner(state, caller, 'adds');
  if (channel !== 'email') requireListed(state, login, 'enrol', channel);
  if (user_id !== passcode.user_id) throw new Refusal('otp_code_not_found');
  const contact = attachContact(state, login ?? session, { kind: contactKindOf(channel), method_id, value });
  return { user_id, factor: FACTORS.passcode(channel, contact) };
}
