import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { WalletWait } from './WalletWait.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

export function CryptoConnect({ screen }: ScreenProps<'CryptoConnect'>) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('cryptoConnect.title')} onBack={() => model.send({ type: 'back' })}>
      <p data-part="text">{t('cryptoConnect.text')}</p>
      <WalletWait wallet={screen.wallet} />
    </ScreenFrame>
  );
}
