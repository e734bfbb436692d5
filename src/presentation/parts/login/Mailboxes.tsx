import { mailboxesFor, mailboxOf } from '../../../domain/mailboxes.ts';
import type { MailService } from '../../../domain/mail-services.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ProviderMark } from '../../main/ProviderMark.tsx';
import { MAIL_MARKS } from './mail-marks.ts';

interface Props {
  /** The address that the mail was sent to. */
  readonly email: string;
  readonly bootstrap: WidgetState['bootstrap'];
  /** Nothing is shown when the mail service of the address is not known. */
  readonly onlyOwn?: boolean;
}

/** A link to the inbox of the address, else to those of the services that the specification names. */
export function Mailboxes({ email, bootstrap: { emailDomains }, onlyOwn = false }: Props) {
  const { config, t } = useWidget();
  const sender = { domainHint: config.emailMagicLinksOptions?.domainHint, emailDomains };
  const own = mailboxOf(email, sender);
  if (own === null && onlyOwn) return null;
  return (
    <ul data-part="mailboxes">
      {mailboxesFor(email, sender).map(({ name, url }) => (
        <li key={name}>
          <a data-part="button" data-look="secondary" href={url} target="_blank" rel="noopener noreferrer">
            {own !== null && <MailMark name={name} />}
            <span>{t('emailConfirmation.open', { mailbox: name })}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The mark of a mail service, or an envelope where its owner does not let others use its mark. */
function MailMark({ name }: Pick<MailService, 'name'>) {
  const mark = MAIL_MARKS[name];
  if (mark !== undefined) return <ProviderMark {...mark} />;
  return (
    <svg data-icon="mail" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 5.5h18v13H3zm0 1 9 7 9-7" />
    </svg>
  );
}
