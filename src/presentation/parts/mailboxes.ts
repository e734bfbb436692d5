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

/** The suffix of an inbox's URL that shows the emails from a domain. Other services have no such URL. */
const SEARCHES: Readonly<Record<string, (domain: string) => string>> = {
  [GMAIL.name]: (domain) => `#search/from%3A(%40${domain})+in%3Aanywhere`,
  [YAHOO.name]: (domain) => `search/keyword=from%253A${domain}`,
};

/** The sender's domain: the configured hint, else the only domain that bootstrap lists (specification, section 2). */
export interface MailSender {
  readonly domainHint: string | undefined;
  readonly emailDomains: readonly string[];
}

/** The URL of the service's inbox, with a search for the sender's emails if the sender is known and the service supports it. */
export function mailboxAt(service: MailService, { domainHint, emailDomains }: MailSender): MailService {
  const hint = domainHint ?? (emailDomains.length === 1 ? emailDomains[0] : undefined);
  const domain = hint?.replace(/^@/u, '').toLowerCase() ?? '';
  const search = DOMAIN.test(domain) ? SEARCHES[service.name]?.(domain) : undefined;
  return { ...service, url: service.url + (search ?? '') };
}

/** The services listed in the specification, for an address of an unknown service. */
export const usualMailboxes = (sender: MailSender): readonly MailService[] =>
  [GMAIL, YAHOO, OUTLOOK].map((service) => mailboxAt(service, sender));
