import { useEffect, useState } from 'react';
import { mailboxAt, usualMailboxes, type MailService } from '../mailboxes.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';

interface Props {
  /** The address to which the email was sent. */
  readonly email: string;
  /** Nothing is shown if the mail service of the address is unknown. */
  readonly onlyOwn?: boolean;
}

/**
 * Links to the inboxes of the services listed in the specification. If the service of the address is known, its link comes first and is
 * larger.
 */
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
  const usual = onlyOwn ? [] : usualMailboxes(sender).filter(({ name }) => name !== own?.name);
  const link = ({ name, url }: MailService, large: boolean) => (
    <a
      data-part={large ? 'button' : 'mailbox'}
      data-look={large ? 'secondary' : undefined}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
    >
      {part && name === own?.name && <part.MailMark name={name} />}
      <span>{t('emailConfirmation.open', { mailbox: name })}</span>
    </a>
  );
  return (
    <ul data-part="mailboxes">
      {own && <li>{link(mailboxAt(own, sender), true)}</li>}
      {usual.map((service) => (
        <li key={service.name} data-state={own && 'further'}>
          {link(service, own === undefined)}
        </li>
      ))}
    </ul>
  );
}
