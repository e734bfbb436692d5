import { mailServiceOf, type MailService } from './mail-services.ts';

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u;

/** The services that the specification links to when the service of the address is not known (section 2). */
const USUAL = ['gmail.com', 'yahoo.com', 'outlook.com'];

/** What is appended to the address of an inbox so that it shows the mails from a domain. Other services have no such address. */
const SEARCHES: Readonly<Record<string, (domain: string) => string>> = {
  Gmail: (domain) => `#search/from%3A(%40${domain})+in%3Aanywhere`,
  Yahoo: (domain) => `search/keyword=from%253A${domain}`,
};

/** The domain that mails come from: the configured hint, else the only one that bootstrap lists (specification, section 2). */
function senderOf(domainHint: string | undefined, emailDomains: readonly string[]): string | null {
  const hint = domainHint ?? (emailDomains.length === 1 ? emailDomains[0] : undefined);
  const domain = hint?.replace(/^@/u, '').toLowerCase() ?? '';
  return DOMAIN.test(domain) ? domain : null;
}

export interface MailSender {
  readonly domainHint: string | undefined;
  readonly emailDomains: readonly string[];
}

/** The inbox of the address, where the sender's mails are; null when the service of the address is not known. */
export function mailboxOf(email: string, { domainHint, emailDomains }: MailSender): MailService | null {
  const service = mailServiceOf(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  if (service === undefined) return null;
  const sender = senderOf(domainHint, emailDomains);
  return { ...service, url: service.url + ((sender !== null && SEARCHES[service.name]?.(sender)) || '') };
}

/** The inbox of the address, else those of the usual services. */
export function mailboxesFor(email: string, sender: MailSender): readonly MailService[] {
  const own = mailboxOf(email, sender);
  const addresses = own === null ? USUAL.map((domain) => `@${domain}`) : [email];
  return addresses.flatMap((address) => mailboxOf(address, sender) ?? []);
}
