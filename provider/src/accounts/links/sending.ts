import { LINK_MINUTES, type MinutesRange } from '#domain/rules/lifetimes.ts';
import { checkChallenge, needsChallenge } from '#server-rules/proof-key.ts';
import { linkTarget, type LinkTarget, withToken } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { checkSending, takeSearch, type ContactPermit } from '../users/sending.ts';
import type { CodeSender } from '#provider/messages/outbox/senders.ts';
import { post } from '#provider/messages/outbox/store.ts';
import { requestOriginHashes } from '../request-origin.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { MailServices, Services } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { contactToAdd, type Recipient } from '../users/contact-changes.ts';
import type { LinkKind } from '#provider/messages/texts/kinds.ts';
import { checkTemplate } from '#provider/messages/texts/templates.ts';
import { writeMail, writeRefusal } from '#provider/messages/texts/write.ts';
import { findContact } from '../users/contacts.ts';
import { decoyIds, findWelcome, hidesUsers } from '../users/newcomers.ts';
import type { UsersTable } from '../users/tables.ts';
import { issueLinkToken, type LinkRequest } from './store.ts';

/** The fields of the request for the email. */
interface MessageOptions {
  readonly locale?: string | undefined;
  readonly login_template_id?: string | undefined;
  readonly signup_template_id?: string | undefined;
}

interface LinkBody extends MessageOptions {
  readonly email: string;
  readonly login_magic_link_url?: string | undefined;
  readonly login_expiration_minutes?: number | undefined;
  readonly signup_magic_link_url?: string | undefined;
  readonly signup_expiration_minutes?: number | undefined;
  readonly code_challenge?: string | undefined;
}

/** The differences between the client's API and the backend API. */
interface LinkRules {
  readonly minutes: { readonly login: MinutesRange; readonly signup: MinutesRange };
}

export interface SendLinkInput {
  readonly body: LinkBody;
  readonly caller: Caller;
  readonly sender: CodeSender;
  readonly terms: LinkRules;
}

/** The terms of the client's API. */
export const CLIENT_TERMS: LinkRules = { minutes: { login: LINK_MINUTES, signup: LINK_MINUTES } };

/** Checks every request for a link. */
async function prepare(
  services: RateLimitServices & Pick<Services, 'project' | 'templates'>,
  { body, caller, sender, terms }: SendLinkInput,
) {
  const target = (kind: 'login' | 'signup'): LinkTarget =>
    linkTarget(services.project, kind, {
      url: [`${kind}_magic_link_url`, body[`${kind}_magic_link_url`]],
      minutes: [`${kind}_expiration_minutes`, body[`${kind}_expiration_minutes`], terms.minutes[kind]],
    });
  const [login, signup] = [target('login'), target('signup')];
  const link = { purpose: 'login', began_on_page: sender.kind === 'page' } as const;
  checkChallenge(body.code_challenge, needsChallenge(services.project, link));
  const { locale, code_challenge = null, login_template_id, signup_template_id } = body;
  checkTemplate(services, 'login_link', ['login_template_id', login_template_id]);
  checkTemplate(services, 'signup_link', ['signup_template_id', signup_template_id]);
  const { permit } = await checkSending(services, body.email, { caller, sender });
  return {
    request: { ...link, code_challenge, asker: requestOriginHashes(services, caller), caller, locale, permit },
    login: { target: login, kind: 'login_link', template_id: login_template_id },
    signup: { target: signup, kind: 'signup_link', template_id: signup_template_id },
  } as const;
}

interface Mail extends Omit<LinkRequest, 'minutes'>, Pick<ContactPermit, 'permit'> {
  readonly email: string;
  readonly kind: LinkKind;
  readonly target: LinkTarget;
  readonly caller: Caller;
  readonly locale: string | undefined;
  readonly template_id: string | undefined;
}

/** Issues a link and writes its email, which the caller publishes after the commit. */
export async function sendLink(
  services: Pick<Services, 'clock' | 'random' | 'dev' | 'project' | 'carried' | 'templates'>,
  tx: Db,
  mail: Mail,
) {
  const { email, user_id, kind, target, caller, locale, template_id, permit } = mail;
  const { redirect, minutes } = target;
  const token = await issueLinkToken(services, tx, { ...mail, minutes });
  const link = withToken(redirect.href, token, 'magic_links');
  const message = writeMail(services, { kind, caller, locale, template_id, minutes, link });
  return post(services, tx, permit, { ...message, to: email, user_id });
}

export interface SentLink {
  readonly user_id: string;
  readonly email_id: string;
}

/** Sends a link to the address's user, who is created if the address is new. */
export async function sendLoginOrCreate(
  services: MailServices,
  input: SendLinkInput,
  status: UsersTable['status'],
): Promise<SentLink & { readonly user_created: boolean }> {
  const prepared = await prepare(services, input);
  if (hidesUsers(services, input.sender)) return sendUnseen(services, input, prepared, status);
  const { request, login, signup } = prepared;
  const { message, ...link } = await transaction(services.db, async (tx) => {
    const found = await findWelcome(services, tx, { kind: 'email', value: input.body.email }, status);
    if (found === undefined) throw new Refusal('sign_up_refused');
    const { user_id, method_id: email_id, value: email, verified, created: user_created } = found;
    const mail = { ...request, ...(verified ? login : signup), email, user_id, email_id };
    return { user_id, email_id, user_created, message: await sendLink(services, tx, mail) };
  });
  services.inbox.publish(message);
  return link;
}

/** Sends a link to a known address only. */
export async function sendToKnown(services: MailServices, input: SendLinkInput): Promise<SentLink> {
  const prepared = await prepare(services, input);
  await takeSearch(services, input.caller);
  if (hidesUsers(services, input.sender)) return sendUnseen(services, input, prepared, null);
  const { request, login, signup } = prepared;
  const { message, ...link } = await transaction(services.db, async (tx) => {
    const contact = await findContact(tx, 'email', input.body.email);
    if (contact === undefined) throw new Refusal('email_not_found');
    const { user_id, method_id: email_id, value: email, verified } = contact;
    const mail = { ...request, ...(verified ? login : signup), email, user_id, email_id };
    return { user_id, email_id, message: await sendLink(services, tx, mail) };
  });
  services.inbox.publish(message);
  return link;
}

/**
 * Sends a link to an address by which a user may log in. Any other gets a mail that explains it, after the same work with a decoy link:
 * neither the reply nor its time says which it was.
 *
 * @param status of a user who is made where the project lets everybody with such an address in; null where none is to be made
 */
async function sendUnseen(
  services: MailServices,
  { body: { email } }: SendLinkInput,
  { request, login, signup }: Awaited<ReturnType<typeof prepare>>,
  status: UsersTable['status'] | null,
): Promise<SentLink & { readonly user_created: boolean }> {
  const contact = { kind: 'email', value: email } as const;
  const decoy = decoyIds(services, contact);
  const message = await transaction(services.db, async (tx) => {
    const found = await findWelcome(services, tx, contact, status);
    const { caller, locale, permit } = request;
    if (found === undefined) {
      const { minutes } = signup.target;
      await issueLinkToken(services, tx, { ...request, user_id: null, email_id: null, minutes });
      const draft = { ...writeRefusal(services, { caller, locale, minutes }), to: email.normalize('NFC') };
      return post(services, tx, permit, draft);
    }
    const { user_id, method_id: email_id, value, verified } = found;
    const mail = { ...request, ...(verified ? login : signup), email: value, user_id, email_id };
    return sendLink(services, tx, mail);
  });
  services.inbox.publish(message);
  // The ids of a user, too: two addresses with one of them, or one that is known from elsewhere, would tell.
  return { user_id: decoy.user_id, email_id: decoy.method_id, user_created: false };
}

/** Sends a link that adds the address to a user. */
export async function sendAddition(
  services: MailServices,
  input: SendLinkInput,
  recipient: Recipient,
): Promise<SentLink> {
  const { request, login } = await prepare(services, input);
  await takeSearch(services, input.caller, recipient);
  const { message, ...link } = await transaction(services.db, async (tx) => {
    const { user_id } = recipient;
    const contact = await contactToAdd(services, tx, recipient, { kind: 'email', value: input.body.email });
    const { method_id: email_id, value: email, adds } = contact;
    const mail = { ...request, ...login, kind: 'confirm_link', email, user_id, email_id, adds } as const;
    return { user_id, email_id, message: await sendLink(services, tx, mail) };
  });
  services.inbox.publish(message);
  return link;
}
