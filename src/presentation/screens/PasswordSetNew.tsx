import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

export function PasswordSetNew() {
  const { t } = useWidget();
  return <ScreenFrame title={t('complete.title')}>{null}</ScreenFrame>;
}
