import type { ReactNode } from 'react';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { ResendMail } from './ResendMail.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

interface Props {
  readonly title: string;
  readonly email: string;
  readonly state: WidgetState;
  readonly children: ReactNode;
}

/** The common part of the screens that explain why a reset mail was sent: a back button, and a button to send it again. */
export function ResetMailSent({ title, email, state, children }: Props) {
  const { model } = useWidget();
  return (
    <ScreenFrame title={title} onBack={() => model.send({ type: 'back' })}>
      {children}
      <ErrorBanner error={state.error} />
      <ResendMail state={state} intent={{ type: 'password/resendRequested', email }} />
    </ScreenFrame>
  );
}
