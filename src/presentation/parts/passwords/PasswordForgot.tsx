import type { ScreenOf } from '../../../domain/screens/screen.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { EmailInstead } from './EmailInstead.tsx';
import { Message } from '../login/Message.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'PasswordForgot'>;
  readonly state: WidgetState;
}

export function PasswordForgot({ screen: { email }, state }: Props) {
  const { t } = useWidget();
  return (
    <ResetMailSent title={t('passwordForgot.title')} email={email} state={state}>
      <p data-part="text">
        <Message id="passwordForgot.text" values={{ email }} />
      </p>
      <EmailInstead email={email} pending={state.pending} label={t('password.without')} />
    </ResetMailSent>
  );
}
