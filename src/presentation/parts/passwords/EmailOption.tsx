import type { ReactNode } from 'react';
import { passwordlessMethod } from '../../../domain/passwords/passwordless.ts';
import type { PendingSubmit } from '../../../domain/screens/events.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { EmailInstead } from './EmailInstead.tsx';

interface Props {
  readonly email: string;
  readonly pending: PendingSubmit | null;
  readonly children?: ReactNode;
}

/** The login without a password, shown below a password form after an 'or', when one is configured. */
export function EmailOption({ email, pending, children }: Props) {
  const { config, t } = useWidget();
  if (passwordlessMethod(config) === null) return null;
  return (
    <div data-part="option">
      <p data-part="or">
        <span>{t('password.or')}</span>
      </p>
      {children}
      <EmailInstead email={email} pending={pending} />
    </div>
  );
}
