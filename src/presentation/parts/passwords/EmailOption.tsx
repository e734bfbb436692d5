import type { ReactNode } from 'react';
import { passwordlessMethod } from '../../../domain/passwords/passwordless.ts';
import type { PendingSubmit } from '../../../domain/screens/submits.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { EmailInstead } from './EmailInstead.tsx';

interface Props {
  readonly email: string;
  readonly pending: PendingSubmit | null;
  readonly children?: ReactNode;
  /** Another way, which shows with or without a message to the address. */
  readonly more?: ReactNode;
}

/** The login without a password, shown below a password form after an 'or', when one is configured. */
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
