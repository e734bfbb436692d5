import { checkChallenge, needsChallenge } from '#server-rules/proof-key.ts';
import { type LinkTarget, withToken } from '#domain/rules/redirects.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { MailServices } from '../services.ts';
import { issueLinkToken } from '../links/store.ts';
import { requestOriginHashes } from '../request-origin.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { checkTemplate } from '#provider/messages/texts/templates.ts';
import { writeMail } from '#provider/messages/texts/write.ts';
import { checkSending } from '../users/sending.ts';
import type { CodeSender } from '#provider/messages/outbox/senders.ts';
import { post, withdraw } from '#provider/messages/outbox/store.ts';
import { findContact } from '../users/contacts.ts';
import { isWelcome } from '../users/newcomers.ts';

interface ResetMail {
  readonly email: string;
  readonly code_challenge: string | undefined;
  readonly login: LinkTarget;
  readonly reset: LinkTarget;
  readonly caller: Caller;
  readonly sender: CodeSender;
  readonly locale: string | undefined;
  readonly template_id: string | undefined;
}

/** The address of an active user, and the user. */
export interface ResetSent {
  readonly user_id: string;
  readonly email_id: string;
}

/**
 * Sends the links of a password reset. For an address without an active user it does and commits the same work with two decoy links, which
 * are never sent, and withdraws the email. So neither the reply nor its time reveals whether an account exists.
 */
export async function sendReset(services: MailServices, mail: ResetMail): Promise<ResetSent | undefined> {
  const { email, code_challenge = null, login, reset, caller, sender, locale, template_id } = mail;
  const began_on_page = sender.kind === 'page';
  const { project } = services;
  checkChallenge(mail.code_challenge, needsChallenge(project, { purpose: 'reset_password', began_on_page }));
  checkTemplate(services, 'reset_password', ['reset_password_template_id', template_id]);
  const { permit } = await checkSending(services, email, mail);
  const asker = requestOriginHashes(services, caller);
  const result = await transaction(services.db, async (tx) => {
    const found = await findContact(tx, 'email', email);
    const welcomes = await isWelcome(services, tx, found?.user_id ?? '', { kind: 'email', value: email });
    const contact = found?.status === 'active' && welcomes ? found : undefined;
    const ids = { user_id: contact?.user_id ?? null, email_id: contact?.method_id ?? null };
    const shared = { ...ids, began_on_page, code_challenge, asker };
    const issue = (purpose: 'reset_password' | 'login', { minutes }: LinkTarget): Promise<string> =>
      issueLinkToken(services, tx, { ...shared, purpose, minutes });
    const link = withToken(reset.redirect.href, await issue('reset_password', reset), 'reset_password');
    const instead = withToken(login.redirect.href, await issue('login', login), 'login');
    const message = writeMail(services, {
      kind: 'reset_password',
      caller,
      locale,
      template_id,
      minutes: reset.minutes,
      link,
      login: { link: instead, minutes: login.minutes },
    });
    const to = { to: contact?.value ?? email, user_id: contact?.user_id ?? null };
    const draft = await post(services, tx, permit, { ...message, ...to });
    await withdraw(tx, contact === undefined ? draft.id : null);
    return contact === undefined ? undefined : { user_id: contact.user_id, email_id: contact.method_id, draft };
  });
  if (result === undefined) return undefined;
  const { draft, ...found } = result;
  services.inbox.publish(draft);
  return found;
}
