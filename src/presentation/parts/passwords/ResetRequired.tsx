import type { ReactNode } from 'react';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';

interface Props {
  readonly email: string;
  readonly state: WidgetState;
  /** Why, where there is more to say. */
  readonly children?: ReactNode;
}

/** Says that a password must be set by way of a mail, so that it is known who does it. */
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
