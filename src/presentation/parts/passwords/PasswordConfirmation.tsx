import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function PasswordConfirmation() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="tick" title={t('passwordConfirmation.title')}>
      <p data-part="text">{t('passwordConfirmation.text')}</p>
    </ScreenFrame>
  );
}
