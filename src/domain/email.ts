/** Local part, @, domain, dot, top-level domain of at least two letters (specification, section 5). */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*\.[a-z]{2,}$/iu;

/** The longest address that SMTP can carry (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text);
}

/** A webmail service that the 'Check your email' screen links to. */
export interface Mailbox {
  readonly name: 'Gmail' | 'Yahoo' | 'Outlook';
  readonly url: string;
}

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u;

/**
 * The webmail links to offer. When the sending domain is known, they open a search for its mails: the domain is the configured
 * hint, else the only one that bootstrap lists (specification, section 2). Outlook's address takes no search.
 */
export function mailboxesFor(domainHint: string | undefined, emailDomains: readonly string[]): readonly Mailbox[] {
  const hint = domainHint ?? (emailDomains.length === 1 ? emailDomains[0] : undefined);
  const domain = hint?.replace(/^@/u, '').toLowerCase() ?? '';
  const known = DOMAIN.test(domain);
  return [
    {
      name: 'Gmail',
      url: `https://mail.google.com/mail/u/0/${known ? `#search/from%3A(%40${domain})+in%3Aanywhere` : ''}`,
    },
    { name: 'Yahoo', url: `https://mail.yahoo.com/d/${known ? `search/keyword=from%253A${domain}` : ''}` },
    { name: 'Outlook', url: 'https://outlook.live.com/mail/0/' },
  ];
}
