import { emailDomain, EVERY_DOMAIN } from '#server-rules/accounts.ts';
import { texts, textThat } from './readers.ts';

/** The domains whose addresses an issuer vouches for. */
export const emailDomains = texts(
  textThat(
    'a domain of email addresses such as acme.example, or *',
    (domain) => domain === EVERY_DOMAIN || emailDomain(domain) !== null,
  ),
);
