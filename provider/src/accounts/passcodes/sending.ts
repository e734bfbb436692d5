import { isTaken } from '../../../../src/domain/rules/accounts.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { withWrites } from '../../base/db/with-writes.ts';
import { isReferenceGone } from '../../base/db/database-errors.ts';
import { transaction } from '../../base/db/transaction.ts';
import { checkSending, checkTexting, type Addressee } from '../users/sending.ts';
import { post } from '../../messages/outbox/store.ts';
import { requestOriginHashes } from '../request-origin.ts';
import { derivedId } from '../../base/security/derived-id.ts';
import { takesOfCaller, takeTogether } from '../../base/security/limits.ts';
import type { Services } from '../services.ts';
import type { Caller } from '../sessions/current.ts';
import type { Recipient } from '../users/store.ts';
import { findOrCreatePhone, findPhone } from '../users/phone-numbers.ts';
import type { PasscodeKind } from '../../messages/texts/kinds.ts';
import { checkTemplate } from '../../messages/texts/templates.ts';
import { writeMail, writeText, type WrittenMessage } from '../../messages/texts/write.ts';
import { addressOf, findEmail, findOrCreateEmail } from '../users/store.ts';
import type { UsersTable } from '../users/tables.ts';
import { issuePasscode, type Passcode, type PasscodeRequest } from './store.ts';

type Channel = Passcode['channel'];
type TextChannel = Exclude<Channel, 'email'>;
type Status = UsersTable['status'];

/** Where a passcode is sent, and what entering it does. */
interface Destination extends Pick<PasscodeRequest, 'method_id' | 'user_id' | 'adds'> {
  readonly to: string;
  /** Whether the user was made for the address or number. */
  readonly created?: boolean;
  /** Whether the user has proved the address or number; absent where it is added. */
  readonly verified?: boolean;
}

/** What the request says about the message. */
interface MessageOptions {
  readonly locale?: string | undefined;
  readonly login_template_id?: string | undefined;
  readonly signup_template_id?: string | undefined;
}

interface PasscodeSend {
  readonly channel: Channel;
  readonly minutes: number;
  readonly caller: Caller;
  readonly wish: MessageOptions;
  /** Ends a text so that the browser can fill the code in. */
  readonly autofill?: boolean;
  /** Where a user who is known already gets the message. */
  readonly known?: Destination | undefined;
  readonly find: (tx: Db) => Promise<Destination>;
}

export interface SentPasscode {
  /** The id of this send, which only the caller learns. While it is valid, a newer code can be entered with it too. */
  readonly method_id: string;
  readonly user_id: string;
  /** The id of the address or number. */
  readonly address_id: string;
  readonly user_created: boolean;
}

async function send(services: Services, sending: PasscodeSend): Promise<SentPasscode> {
  const { find, known } = sending;
  const written = known === undefined ? undefined : await issueToKnown(services, sending, known);
  const { message, ...sent } =
    written ?? (await transaction(services.db, async (tx) => issueTo(services, tx, sending, await find(tx))));
  services.inbox.publish(message);
  return sent;
}

/** Issues a passcode to an address or number that was read before. Undefined if its user was removed meanwhile. */
async function issueToKnown(services: Services, sending: PasscodeSend, known: Destination) {
  try {
    return await issueTo(services, services.db, sending, known);
  } catch (error) {
    if (isReferenceGone(error)) return undefined;
    throw error;
  }
}

/** Issues a passcode and posts its message, in one statement. */
async function issueTo(services: Services, db: Db, sending: PasscodeSend, to: Destination) {
  const { channel, minutes, caller } = sending;
  const { to: address, created = false, verified, ...destination } = to;
  const request = {
    ...destination,
    channel,
    minutes,
    from: caller.address,
    asker: requestOriginHashes(services, caller),
  };
  const { passcode_id, code, write } = issuePasscode(services, db, request);
  const { user_id, method_id: address_id } = destination;
  const draft = { ...written(services, sending, code, verified), to: address, user_id };
  const message = await post(services, withWrites(db, [write]), draft);
  return { method_id: passcode_id, user_id, address_id, user_created: created, message };
}

/** For a returning user, for a new one, or for an address or number that is added. */
function kindOf(verified: boolean | undefined): PasscodeKind {
  if (verified === undefined) return 'confirm_passcode';
  return verified ? 'login_passcode' : 'signup_passcode';
}

function written(
  services: Services,
  sending: PasscodeSend,
  code: string,
  verified: boolean | undefined,
): WrittenMessage {
  const { channel, minutes, caller, wish, autofill = false } = sending;
  const { locale, login_template_id, signup_template_id } = wish;
  const asked = { kind: kindOf(verified), caller, locale, minutes, code };
  if (channel === 'email') {
    return writeMail(services, { ...asked, template_id: verified === false ? signup_template_id : login_template_id });
  }
  const site = new URL(services.project.default_login_redirect_url).hostname;
  return writeText(services, { ...asked, channel, autofill_site: autofill ? site : null });
}

export interface EmailPasscodeInput {
  readonly body: MessageOptions & { readonly email: string; readonly expiration_minutes?: number | undefined };
  readonly caller: Caller;
}

export interface TextPasscodeInput {
  readonly channel: TextChannel;
  readonly body: Pick<MessageOptions, 'locale'> & {
    readonly phone_number: string;
    readonly expiration_minutes?: number | undefined;
    readonly enable_autofill?: boolean | undefined;
    readonly autofill_session_duration_minutes?: number | undefined;
  };
  readonly caller: Caller;
}

/** Checks a request for an email and answers the parameters of the send. */
async function byEmail(services: Services, { body, caller }: EmailPasscodeInput) {
  const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, body.expiration_minutes);
  checkTemplate(services, 'login_passcode', ['login_template_id', body.login_template_id]);
  checkTemplate(services, 'signup_passcode', ['signup_template_id', body.signup_template_id]);
  const known = destinationOf(await checkSending(services, body.email, caller));
  return { known, sending: { channel: 'email', minutes, caller, wish: body } as const };
}

/** Checks a request for a text and answers the parameters of the send. */
async function byText(services: Services, { channel, body, caller }: TextPasscodeInput) {
  const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, body.expiration_minutes);
  if (body.autofill_session_duration_minutes !== undefined) checkDuration(body.autofill_session_duration_minutes);
  const known = destinationOf(await checkTexting(services, body.phone_number, caller));
  const autofill = body.enable_autofill === true;
  return { known, sending: { channel, minutes, caller, wish: { locale: body.locale }, autofill } };
}

function destinationOf(known: Addressee | undefined): Destination | undefined {
  return known && { method_id: known.id, user_id: known.user_id, to: known.to, verified: known.verified };
}

/** The reply reveals whether the user exists, so the call counts as a search, and as an addition where one is begun in a session. */
async function asSearch(services: Services, caller: Caller, addsTo?: Recipient): Promise<void> {
  const { searchesPerNetwork, additionsPerUser } = services.limits;
  const takes = takesOfCaller(services, 'search', caller, searchesPerNetwork);
  const addition = { name: `addition:user:${addsTo?.user_id}`, limit: additionsPerUser };
  await takeTogether(services, addsTo?.needs_session === true ? [...takes, addition] : takes, 'too_many_requests');
}

/** Sends to the address's user, who is made if nobody has the address. */
export async function mailLoginOrCreate(
  services: Services,
  asked: EmailPasscodeInput,
  status: Status,
): Promise<SentPasscode> {
  const { sending, known } = await byEmail(services, asked);
  return send(services, {
    ...sending,
    known,
    find: async (tx) => {
      const found = await findOrCreateEmail(services, tx, asked.body.email, status);
      const { email_id: method_id, user_id, email: to, created, verified } = found;
      return { method_id, user_id, to, created, verified };
    },
  });
}

/** Sends to a known address only. */
export async function mailToKnown(services: Services, asked: EmailPasscodeInput): Promise<SentPasscode> {
  const { sending, known } = await byEmail(services, asked);
  await asSearch(services, asked.caller);
  return send(services, {
    ...sending,
    known,
    find: async (tx) => {
      const email = await findEmail(tx, asked.body.email);
      if (email === undefined) throw new Refusal('email_not_found');
      const { email_id: method_id, user_id, email: to, verified } = email;
      return { method_id, user_id, to, verified };
    },
  });
}

/** Sends to an address that is added to the user when the code is entered. */
export async function mailAddition(
  services: Services,
  asked: EmailPasscodeInput,
  to: Recipient,
): Promise<SentPasscode> {
  const { sending } = await byEmail(services, asked);
  await asSearch(services, asked.caller, to);
  return send(services, { ...sending, find: (tx) => addressOf(services, tx, to, asked.body.email) });
}

/** Sends to the number's user, who is made if nobody has the number. */
export async function textLoginOrCreate(
  services: Services,
  asked: TextPasscodeInput,
  status: Status,
): Promise<SentPasscode> {
  const { sending, known } = await byText(services, asked);
  return send(services, {
    ...sending,
    known,
    find: async (tx) => {
      const phone = await findOrCreatePhone(services, tx, asked.body.phone_number, status);
      const { phone_id: method_id, user_id, phone_number: to, created, verified } = phone;
      return { method_id, user_id, to, created, verified };
    },
  });
}

/** Sends to a known number only. */
export async function textToKnown(services: Services, asked: TextPasscodeInput): Promise<SentPasscode> {
  const { sending, known } = await byText(services, asked);
  await asSearch(services, asked.caller);
  return send(services, {
    ...sending,
    known,
    find: async (tx) => {
      const phone = await findPhone(tx, asked.body.phone_number);
      if (phone === undefined) throw new Refusal('phone_number_not_found');
      const { phone_id: method_id, user_id, phone_number: to, verified } = phone;
      return { method_id, user_id, to, verified };
    },
  });
}

/** Sends to a number that is added to the user when the code is entered. */
export async function textAddition(
  services: Services,
  asked: TextPasscodeInput,
  { user_id, needs_session }: Recipient,
): Promise<SentPasscode> {
  const { sending } = await byText(services, asked);
  await asSearch(services, asked.caller, { user_id, needs_session });
  const { phone_number: address } = asked.body;
  return send(services, {
    ...sending,
    find: async (tx) => {
      const known = await findPhone(tx, address);
      const mine = known?.user_id === user_id;
      if (known !== undefined && !mine && isTaken(known)) throw new Refusal('duplicate_phone_number');
      const method_id = mine ? known.phone_id : derivedId(services.keys.codeKey, 'phone-number', user_id, address);
      return { method_id, user_id, to: address, adds: { address, needs_session } };
    },
  });
}
