import type { ReactNode } from 'react';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';

interface Props {
  readonly email: string;
  readonly state: WidgetState;
  /** The reason, if there is one to show. */
  readonly children?: ReactNode;
}

/** Tells that the password must be reset by email, which proves the user's identity. */
export function ResetRequired({ email, state, children }: Props) {
  const { t } = useWidget();
  return (
    <ResetMailSent title={t('passwordRequired.title')} email={email} state={state}>
      {children}
      <p data-part="text">{t('passwordRequired.text')}</p>
      <p data-part="text">
        <Message id="passwordRequired.sent" values={{ email }} />
      </p>
    </ResetMailSent>
  );
}
