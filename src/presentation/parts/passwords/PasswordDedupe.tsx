import type { ScreenOf } from '../../../domain/screens/screen.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { Message } from '../login/Message.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';
import { ResetRequired } from './ResetRequired.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'PasswordDedupe'>;
  readonly state: WidgetState;
}

export function PasswordDedupe({ screen: { email, reason }, state }: Props) {
  const { t } = useWidget();
  if (reason === 'required') return <ResetRequired email={email} state={state} />;
  return (
    <ResetMailSent title={t('passwordDedupe.title')} email={email} state={state}>
      <p data-part="text">
        <Message id="passwordDedupe.text" values={{ email }} />
      </p>
    </ResetMailSent>
  );
}
