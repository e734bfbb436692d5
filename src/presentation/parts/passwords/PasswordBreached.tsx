import type { ScreenOf } from '../../../domain/screens/screen.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { ResetRequired } from './ResetRequired.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'PasswordBreached'>;
  readonly state: WidgetState;
}

export function PasswordBreached({ screen: { email }, state }: Props) {
  const { t } = useWidget();
  return (
    <ResetRequired email={email} state={state}>
      <p data-part="breached">{t('strength.breached')}</p>
    </ResetRequired>
  );
}
