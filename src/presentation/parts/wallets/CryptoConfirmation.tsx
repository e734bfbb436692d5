import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function CryptoConfirmation() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="tick" title={t('cryptoConfirmation.title')}>
      <p data-part="text">{t('cryptoConfirmation.text')}</p>
    </ScreenFrame>
  );
}
