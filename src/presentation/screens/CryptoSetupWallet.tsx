import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

export function CryptoSetupWallet() {
  const { t } = useWidget();
  return <ScreenFrame title={t('complete.title')}>{null}</ScreenFrame>;
}
