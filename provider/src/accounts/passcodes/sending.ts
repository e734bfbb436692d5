import { CONTACT_KINDS, contactKindOf, type Contact } from '#server-rules/contacts.ts';
import { isOpenToAll } from '#server-rules/sign-ups.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '#domain/rules/lifetimes.ts';
import { isExtensionOrigin } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isReferenceGone } from '#provider/base/db/database-errors.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { withWrites } from '#provider/base/db/statements/with-writes.ts';
import { post, withdraw } from '#provider/messages/outbox/store.ts';
import type { PasscodeKind } from '#provider/messages/texts/kinds.ts';
import { checkTemplate } from '#provider/messages/texts/templates.ts';
import { writeMail, writeRefusal, writeText, type WrittenMessage } from '#provider/messages/texts/write.ts';
import { requestOriginHashes } from '../request-origin.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { MessageServices, Services, SessionServices } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { CodeSender } from '#provider/messages/outbox/senders.ts';
import { contactToAdd, type Recipient } from '../users/contact-changes.ts';
import { findContact, type ContactValue } from '../users/contacts.ts';
import { holdUser } from '../users/lock.ts';
import { decoyIds, findWelcome, hidesUsers } from '../users/newcomers.ts';
import { checkSending, checkTexting, takeSearch, type ContactPermit } from '../users/sending.ts';
import type { UsersTable } from '../users/tables.ts';
import { issuePasscode, type Passcode, type PasscodeRequest } from './store.ts';

/** The contact to which a passcode is sent, and what entering it does. */
interface Destination extends Pick<PasscodeRequest, 'method_id' | 'adds'> {
  readonly user_id: string;
  readonly value: string;
  /** True for a contact that lets nobody in, whose ids are made up. */
  readonly isDecoy?: boolean;
  /** Whether the user was made for the contact. */
  readonly created?: boolean;
  /** Whether the user has verified the contact; absent if the contact is being added. */
  readonly verified?: boolean;
}

/** The fields of the request for the message. */
export interface PasscodeOptions {
  readonly expiration_minutes?: number | undefined;
  readonly locale?: string | undefined;
  /** For emails. */
  readonly login_template_id?: string | undefined;
  readonly signup_template_id?: string | undefined;
  /** For text messages: whether the text ends with the line that lets the browser fill in the code. */
  readonly enable_autofill?: boolean | undefined;
  readonly autofill_session_duration_minutes?: number | undefined;
}

export const emailOf = ({ email }: PasscodeOptions & { readonly email: string }): string => email;
export const phoneNumberOf = ({ phone_number }: PasscodeOptions & { readonly phone_number: string }): string =>
  phone_number;

export interface SendPasscodeInput {
  readonly channel: Passcode['channel'];
  /** The email address or phone number. */
  readonly value: string;
  readonly body: PasscodeOptions;
  readonly caller: Caller;
  readonly sender: CodeSender;
}

interface PasscodeSend extends SendPasscodeInput, Pick<ContactPermit, 'permit'> {
  readonly contact: ContactValue;
  readonly minutes: number;
  readonly destination?: Contact | undefined;
}

export interface SentPasscode {
  /** The id of this send, which only the caller gets. While it is valid, a newer code can be entered with it, too. */
  readonly passcode_id: string;
  readonly user_id: string;
  /** The id of the contact. */
  readonly method_id: string;
  readonly user_created: boolean;
}

/** Checks a request for a passcode, and counts its message against the limits. */
async function prepare(
  services: RateLimitServices & Pick<Services, 'project' | 'warn' | 'metrics' | 'templates'>,
  input: SendPasscodeInput,
): Promise<PasscodeSend> {
  const { channel, value, body } = input;
  const minutes = minutesIn('expiration_minutes', PASSCODE_MINUTES, body.expiration_minutes);
  const contact = { kind: contactKindOf(channel), value };
  if (channel === 'email') {
    checkTemplate(services, 'login_passcode', ['login_template_id', body.login_template_id]);
    checkTemplate(services, 'signup_passcode', ['signup_template_id', body.signup_template_id]);
    return { ...input, contact, minutes, ...(await checkSending(services, value, input)) };
  }
  if (body.autofill_session_duration_minutes !== undefined) checkDuration(body.autofill_session_duration_minutes);
  return { ...input, contact, minutes, ...(await checkTexting(services, value, input)) };
}

/** Sends to the contact's user, who is created if the contact is new. */
export async function sendLoginOrCreate(
  services: MessageServices,
  input: SendPasscodeInput,
  status: UsersTable['status'],
): Promise<SentPasscode> {
  const sending = await prepare(services, input);
  const { contact } = sending;
  if (hidesUsers(services, input.sender)) return sendUnseen(services, sending, status);
  // Only where everybody may sign up, a known contact needs no further look.
  const destination = isOpenToAll(services.project.sign_up) ? sending.destination : undefined;
  return send(services, { ...sending, destination }, async (tx) => {
    const found = await findWelcome(services, tx, contact, status);
    if (found === undefined) throw new Refusal('sign_up_refused');
    return found;
  });
}

/** Sends to a known contact only. */
export async function sendToKnown(services: MessageServices, input: SendPasscodeInput): Promise<SentPasscode> {
  const sending = await prepare(services, input);
  await takeSearch(services, input.caller);
  if (hidesUsers(services, input.sender)) return sendUnseen(services, sending, null);
  const { kind, value } = sending.contact;
  return send(services, sending, async (tx) => {
    const contact = await findContact(tx, kind, value);
    if (contact === undefined) throw new Refusal(CONTACT_KINDS[kind].unknown);
    return contact;
  });
}

/** Sends to a contact that the code will add to the user. */
export async function sendAddition(
  services: MessageServices,
  input: SendPasscodeInput,
  recipient: Recipient,
): Promise<SentPasscode> {
  const { destination: _, ...sending } = await prepare(services, input);
  await takeSearch(services, input.caller, recipient);
  return send(services, sending, (tx) => contactToAdd(services, tx, recipient, sending.contact));
}

async function send(
  services: SessionServices & Pick<Services, 'dev' | 'inbox' | 'carried' | 'templates'>,
  sending: PasscodeSend,
  find: (tx: Db) => Promise<Destination>,
): Promise<SentPasscode> {
  const { destination } = sending;
  const issued = destination === undefined ? undefined : await issueToKnown(services, sending, destination);
  const { message, ...passcode } =
    issued ?? (await transaction(services.db, async (tx) => issueTo(services, tx, sending, await find(tx))));
  services.inbox.publish(message);
  return passcode;
}

/**
 * Sends to a contact by which a user may log in. For any other it does the same work with a decoy: an address gets a mail that explains
 * it, and a number gets nothing. Neither the reply, nor its time, nor what becomes of wrong codes says which it was.
 *
 * @param status of a user who is made where the project lets everybody with such a contact in; null where none is to be made
 */
async function sendUnseen(
  services: MessageServices,
  sending: PasscodeSend,
  status: UsersTable['status'] | null,
): Promise<SentPasscode> {
  const { contact } = sending;
  const decoy = { ...decoyIds(services, contact), value: contact.value.normalize('NFC'), isDecoy: true };
  const { message, ...passcode } = await transaction(services.db, async (tx) => {
    const found = await findWelcome(services, tx, contact, status);
    const isHeld = await holdUser(tx, found?.user_id ?? '');
    // The user was removed meanwhile: the next try finds none.
    if (found !== undefined && !isHeld) throw new ChangedMeanwhile();
    const issued = await issueTo(services, tx, sending, found ?? decoy);
    const isText = found === undefined && contact.kind === 'phone';
    await withdraw(tx, isText ? issued.message.id : null);
    return { ...issued, message: isText ? undefined : issued.message };
  });
  if (message !== undefined) services.inbox.publish(message);
  return passcode;
}

/** Issues a passcode to a contact that was read before. Undefined if its user was removed meanwhile. */
async function issueToKnown(
  services: SessionServices & Pick<Services, 'dev' | 'carried' | 'templates'>,
  sending: PasscodeSend,
  destination: Destination,
) {
  try {
    return await issueTo(services, services.db, sending, destination);
  } catch (error) {
    if (isReferenceGone(error)) return undefined;
    throw error;
  }
}

/** Issues a passcode and posts its message, in one statement. */
async function issueTo(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'carried' | 'templates'>,
  db: Db,
  sending: PasscodeSend,
  to: Destination,
) {
  const { channel, minutes, caller } = sending;
  const { method_id, user_id, value, adds, isDecoy = false, created = false } = to;
  const owner = isDecoy ? null : user_id;
  const asker = requestOriginHashes(services, caller);
  const request = { method_id, user_id: owner, channel, minutes, adds, asker, from: caller.address };
  const { passcode_id, code, write } = issuePasscode(services, db, request);
  const draft = { ...messageOf(services, sending, code, to), to: value, user_id: owner };
  const message = await post(services, withWrites(db, [write]), sending.permit, draft);
  return { passcode_id, user_id, method_id, user_created: created, message };
}

/** The message for a returning user, a new user, or a contact that is being added. */
function kindOf(verified: boolean | undefined): PasscodeKind {
  if (verified === undefined) return 'confirm_passcode';
  return verified ? 'login_passcode' : 'signup_passcode';
}

function messageOf(
  services: Pick<Services, 'clock' | 'project' | 'templates'>,
  { channel, minutes, caller, body }: PasscodeSend,
  code: string,
  { verified, isDecoy = false }: Destination,
): WrittenMessage {
  const { locale, login_template_id, signup_template_id, enable_autofill = channel === 'sms' } = body;
  if (isDecoy && channel === 'email') return writeRefusal(services, { caller, locale, minutes });
  const message = { kind: kindOf(verified), caller, locale, minutes, code };
  // The requesting page is the one that fills in the code. An extension has no host for that.
  const page = caller.page !== null && !isExtensionOrigin(caller.page) ? caller.page : null;
  const site = new URL(page ?? services.project.default_login_redirect_url).hostname;
  if (channel === 'email') {
    return writeMail(services, {
      ...message,
      autofill_site: site,
      template_id: verified === false ? signup_template_id : login_template_id,
    });
  }
  return writeText(services, { ...message, channel, ...(enable_autofill ? { autofill_site: site } : {}) });
}
