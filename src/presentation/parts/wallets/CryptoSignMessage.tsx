import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { WalletWait } from './WalletWait.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

export function CryptoSignMessage({ screen }: ScreenProps<'CryptoSignMessage'>) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('cryptoSignMessage.title')} onBack={() => model.send({ type: 'back' })}>
      <p data-part="text">{t('cryptoSignMessage.text')}</p>
      <WalletWait wallet={screen.wallet} />
    </ScreenFrame>
  );
}
