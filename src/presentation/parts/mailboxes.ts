const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u;

/** A mail service that its users read in the browser. */
export interface MailService {
  readonly name: string;
  /** The address of its inbox. */
  readonly url: string;
}

export const GMAIL: MailService = { name: 'Gmail', url: 'https://mail.google.com/mail/u/0/' };
export const YAHOO: MailService = { name: 'Yahoo', url: 'https://mail.yahoo.com/d/' };
export const OUTLOOK: MailService = { name: 'Outlook', url: 'https://outlook.live.com/mail/0/' };

/** What is appended to the address of an inbox so that it shows the mails from a domain. Other services have no such address. */
const SEARCHES: Readonly<Record<string, (domain: string) => string>> = {
  [GMAIL.name]: (domain) => `#search/from%3A(%40${domain})+in%3Aanywhere`,
  [YAHOO.name]: (domain) => `search/keyword=from%253A${domain}`,
};

/** Where the mails come from: the configured hint, else the only domain that bootstrap lists (specification, section 2). */
export interface MailSender {
  readonly domainHint: string | undefined;
  readonly emailDomains: readonly string[];
}

/** The inbox of the service, which searches for the sender's mails when the sender is known and the service can. */
export function mailboxAt(service: MailService, { domainHint, emailDomains }: MailSender): MailService {
  const hint = domainHint ?? (emailDomains.length === 1 ? emailDomains[0] : undefined);
  const domain = hint?.replace(/^@/u, '').toLowerCase() ?? '';
  const search = DOMAIN.test(domain) ? SEARCHES[service.name]?.(domain) : undefined;
  return { ...service, url: service.url + (search ?? '') };
}

/** The services that the specification names, for an address whose service is not known. */
export const usualMailboxes = (sender: MailSender): readonly MailService[] =>
  [GMAIL, YAHOO, OUTLOOK].map((service) => mailboxAt(service, sender));
