import type { ScreenOf } from '../../../domain/screens/screen.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { Message } from '../login/Message.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'PasswordSetNew'>;
  readonly state: WidgetState;
}

export function PasswordSetNew({ screen: { email }, state }: Props) {
  const { t } = useWidget();
  return (
    <ResetMailSent title={t('passwordSetNew.title')} email={email} state={state}>
      <p data-part="text">
        <Message id="passwordSetNew.text" values={{ email }} />
      </p>
    </ResetMailSent>
  );
}
