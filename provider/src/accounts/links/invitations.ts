import { BACKEND_LINK_MINUTES } from '#domain/rules/lifetimes.ts';
import { checkEmail, isSignedUp, isTaken } from '#server-rules/accounts.ts';
import { checkArrival } from '#server-rules/sign-ups.ts';
import { linkTarget } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { checkSending } from '../users/sending.ts';
import { requestOriginHashes } from '../request-origin.ts';
import type { MailServices, Services } from '../services.ts';
import type { BackendCaller } from '../sessions/reading/contract.ts';
import { checkTemplate } from '#provider/messages/texts/templates.ts';
import { giveInvitedRoles } from '../users/coming-in.ts';
import { lockUser } from '../users/lock.ts';
import { freeSignedUp } from '../users/contact-changes.ts';
import { findContact, lockContact } from '../users/contacts.ts';
import { findOrCreateContact, removeUser } from '../users/store.ts';
import { describeUser, type Description } from '../users/describe.ts';
import { sendLink, type SentLink } from './sending.ts';

interface Invitation extends Description {
  readonly email: string;
  readonly invite_magic_link_url?: string | undefined;
  readonly invite_expiration_minutes?: number | undefined;
  readonly invite_template_id?: string | undefined;
  readonly locale?: string | undefined;
}

/**
 * Sends an invitation to an address that no user has verified. Its user is pending until the link is opened. Because the app vouches for
 * the address, a stranger's sign-up with it is removed.
 */
export async function invite(
  services: MailServices,
  { body, caller }: { readonly body: Invitation; readonly caller: BackendCaller },
): Promise<SentLink> {
  const { project } = services;
  checkArrival(project.sign_up, 'invited');
  const { email, invite_magic_link_url: url, invite_expiration_minutes: minutes } = body;
  const { name, trusted_metadata, untrusted_metadata, invite_template_id: template_id, locale } = body;
  // The project's maximum is for requested links. An invitation was not requested, so it may take longer.
  const target = linkTarget({ ...project, link_max_minutes: null }, 'signup', {
    url: ['invite_magic_link_url', url],
    minutes: ['invite_expiration_minutes', minutes, BACKEND_LINK_MINUTES.login],
  });
  checkTemplate(services, 'invite_link', ['invite_template_id', template_id]);
  const { permit } = await checkSending(services, email, { caller, sender: caller.sender });
  const asker = requestOriginHashes(services, caller);
  const { message, ...link } = await transaction(services.db, async (tx) => {
    const address = { kind: 'email', value: email } as const;
    await freeSignedUp(tx, address);
    const found = await findOrCreateContact(services, tx, address, { arrival: 'invited', status: 'pending' });
    const { user_id, method_id: email_id, created: made_user } = found;
    const user = await lockUser(tx, user_id);
    // Reads again under the lock: the user may have signed in, or been removed, in the meantime.
    const contact = await findContact(tx, 'email', email);
    if (user === undefined || contact?.user_id !== user_id) throw new ChangedMeanwhile();
    // Reminders are allowed, and so are users whom the app's own server created as pending.
    if (isSignedUp({ ...contact, managed: false })) {
      if (isTaken(contact)) throw new Refusal('duplicate_email');
      throw new ChangedMeanwhile();
    }
    if (!made_user) await giveInvitedRoles(services, tx, user);
    await describeUser(project, tx, user, { name, trusted_metadata, untrusted_metadata });
    const message = await sendLink(services, tx, {
      email: contact.value,
      user_id,
      email_id,
      target,
      asker,
      made_user,
      purpose: 'invite',
      began_on_page: false,
      code_challenge: null,
      kind: 'invite_link',
      caller,
      locale,
      template_id,
      permit,
    });
    return { user_id, email_id, message };
  });
  services.inbox.publish(message);
  return link;
}

/** Ends the pending invitations to the address, and removes the user that one created if they never signed in. */
export async function revokeInvite({ db, clock }: Pick<Services, 'db' | 'clock'>, email: string): Promise<void> {
  checkEmail(email);
  await transaction(db, async (tx) => {
    const contact = await findContact(tx, 'email', email);
    const found = contact === undefined ? undefined : await lockContact(tx, 'email', contact.method_id);
    const revoked = await tx
      .deleteFrom('magic_links')
      .where('email_id', '=', found?.contact.method_id ?? '')
      .where('purpose', '=', 'invite')
      .where('expires_at', '>', new Date(clock.now()))
      .returning('made_user')
      .execute();
    if (found === undefined || revoked.length === 0) throw new Refusal('invite_not_found');
    const now = await findContact(tx, 'email', email);
    if (now?.status === 'pending' && revoked.some(({ made_user }) => made_user)) await removeUser(tx, now.user_id);
  });
}
