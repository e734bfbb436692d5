import { mailboxesFor } from '../../../domain/email.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** Links to webmail services. `domains` are the domains that may have sent the mail. */
export function Mailboxes({ domains }: { readonly domains: readonly string[] }) {
  const { config, t } = useWidget();
  return (
    <ul data-part="mailboxes">
      {mailboxesFor(config.emailMagicLinksOptions?.domainHint, domains).map(({ name, url }) => (
        <li key={name}>
          <a data-part="button" data-look="secondary" href={url} target="_blank" rel="noopener">
            <span>{t('emailConfirmation.open', { mailbox: name })}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
