import { passwordlessMethod } from '#domain/passwords/passwordless.ts';
import type { PendingSubmit } from '#domain/screens/submits.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { EmailInstead } from './EmailInstead.tsx';
import type { Elements } from '../../elements.ts';

interface Props {
  readonly email: string;
  readonly pending: PendingSubmit | null;
  readonly children?: Elements;
  /** Another login method, shown with or without a message to the address. */
  readonly more?: Elements;
}

/** The login without a password, shown below a password form after an 'or', if one is configured. */
export function EmailOption({ email, pending, children, more }: Props) {
  const { config, t } = useWidget();
  if (passwordlessMethod(config) === null && !more) return null;
  return (
    <div data-part="option">
      <p data-part="or">
        <span>{t('password.or')}</span>
      </p>
      {children}
      {more}
      <EmailInstead email={email} pending={pending} />
    </div>
  );
}
