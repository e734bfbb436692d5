import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function PasskeyConfirmation() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="tick" title={t('passkeyConfirmation.title')}>
      <p data-part="text">{t('passkeyConfirmation.text')}</p>
    </ScreenFrame>
  );
}
