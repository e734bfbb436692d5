import type { ReactNode } from 'react';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';
import { ErrorBanner } from './ErrorBanner.tsx';
import { ScreenFrame } from './ScreenFrame.tsx';

interface Props {
  readonly title: string;
  readonly email: string;
  readonly state: WidgetState;
  readonly children: ReactNode;
}

/** What the screens share that say why a reset mail was sent: a way back, and to another mail. */
export function ResetMailSent({ title, email, state: { pending, error }, children }: Props) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={title} onBack={() => model.send({ type: 'back' })}>
      {children}
      <ErrorBanner error={error} />
      <p data-part="again">
        <span>{t('password.missing')}</span>{' '}
        <Button
          look="link"
          busy={pending === 'password/resendRequested'}
          off={pending !== null}
          onPress={() => model.send({ type: 'password/resendRequested', email })}
        >
          {t('password.resend')}
        </Button>
      </p>
    </ScreenFrame>
  );
}
