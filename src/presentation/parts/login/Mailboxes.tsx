import { useEffect, useState } from 'react';
import { mailboxAt, usualMailboxes } from '../mailboxes.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';

interface Props {
  /** The address to which the email was sent. */
  readonly email: string;
  /** Nothing is shown when the mail service of the address is not known. */
  readonly onlyOwn?: boolean;
}

/** A link to the inbox of the address, else to those of the services that the specification names. */
export function Mailboxes({ email, onlyOwn = false }: Props) {
  const { config, loadPart, t } = useWidget();
  const { emailDomains } = useBootstrap();
  const part = usePart('mails');
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadPart('mails').catch(() => setFailed(true));
  }, [loadPart]);
  if (part === null && !failed) return null;
  const sender = { domainHint: config.emailMagicLinksOptions?.domainHint, emailDomains };
  const own = part?.mailServiceOf(email);
  if (own === undefined && onlyOwn) return null;
  const mailboxes = own === undefined ? usualMailboxes(sender) : [mailboxAt(own, sender)];
  return (
    <ul data-part="mailboxes">
      {mailboxes.map(({ name, url }) => (
        <li key={name}>
          <a data-part="button" data-look="secondary" href={url} target="_blank" rel="noopener noreferrer">
            {part && own && <part.MailMark name={name} />}
            <span>{t('emailConfirmation.open', { mailbox: name })}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
