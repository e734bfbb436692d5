import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function OTPConfirmation() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="tick" title={t('otpConfirmation.title')}>
      <p data-part="text">{t('otpConfirmation.text')}</p>
    </ScreenFrame>
  );
}
