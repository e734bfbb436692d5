import { CONTACT_KINDS, contactKindOf, type Contact } from '../../../../server-rules/contacts.ts';
import { checkDuration, minutesIn, PASSCODE_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { isReferenceGone } from '../../base/db/database-errors.ts';
import type { Db } from '../../base/db/database.ts';
import { transaction } from '../../base/db/statements/transaction.ts';
import { withWrites } from '../../base/db/statements/with-writes.ts';
import { post } from '../../messages/outbox/store.ts';
import type { PasscodeKind } from '../../messages/texts/kinds.ts';
import { checkTemplate } from '../../messages/texts/templates.ts';
import { writeMail, writeText, type WrittenMessage } from '../../messages/texts/write.ts';
import { requestOriginHashes } from '../request-origin.ts';
import type { RateLimitServices } from '../../project/services.ts';
import type { MessageServices, Services, SessionServices } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { CodeSender } from '../../messages/outbox/senders.ts';
import { contactToAdd, type Recipient } from '../users/contact-changes.ts';
import { findContact, type ContactValue } from '../users/contacts.ts';
import { checkSending, checkTexting, takeSearch, type ContactPermit } from '../users/sending.ts';
import { findOrCreateContact } from '../users/store.ts';
import type { UsersTable } from '../users/tables.ts';
import { issuePasscode, type Passcode, type PasscodeRequest } from './store.ts';

/** The contact to which a passcode is sent, and what entering it does. */
interface Destination extends Pick<PasscodeRequest, 'method_id' | 'user_id' | 'adds'> {
  readonly value: string;
  /** Whether the user was created for the contact. */
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
  const { kind, value } = sending.contact;
  return send(services, sending, (tx) => findOrCreateContact(services, tx, kind, value, status));
}

/** Sends to a known contact only. */
export async function sendToKnown(services: MessageServices, input: SendPasscodeInput): Promise<SentPasscode> {
  const sending = await prepare(services, input);
  await takeSearch(services, input.caller);
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

/** Issues a passcode to a contact that was read earlier. Undefined if its user was removed meanwhile. */
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
  const { method_id, user_id, value, adds, created = false, verified } = to;
  const asker = requestOriginHashes(services, caller);
  const request = { method_id, user_id, channel, minutes, adds, asker, from: caller.address };
  const { passcode_id, code, write } = issuePasscode(services, db, request);
  const draft = { ...messageOf(services, sending, code, verified), to: value, user_id };
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
  verified: boolean | undefined,
): WrittenMessage {
  const { locale, login_template_id, signup_template_id, enable_autofill = channel === 'sms' } = body;
  const message = { kind: kindOf(verified), caller, locale, minutes, code };
  // The requesting page is the one that fills in the code.
  const site = new URL(caller.page ?? services.project.default_login_redirect_url).hostname;
  if (channel === 'email') {
    return writeMail(services, {
      ...message,
      autofill_site: site,
      template_id: verified === false ? signup_template_id : login_template_id,
    });
  }
  return writeText(services, { ...message, channel, ...(enable_autofill ? { autofill_site: site } : {}) });
}
