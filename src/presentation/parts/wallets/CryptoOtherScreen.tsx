import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { WalletList } from './WalletList.tsx';
import { AnyWalletMark } from './WalletMark.tsx';
import { useWalletSlots } from './useWalletSlots.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

export function CryptoOtherScreen({ state }: ScreenProps<'CryptoOtherScreen'>) {
  const { model, t } = useWidget();
  const { others } = useWalletSlots(state);
  return (
    <ScreenFrame title={t('cryptoOther.title')} onBack={() => model.send({ type: 'back' })}>
      {others.length === 0 && state.error === null && <p data-part="text">{t('cryptoOther.none')}</p>}
      <ErrorBanner error={state.error} />
      <div data-part="group">
        <WalletList state={state} slot="others" />
        <Button look="secondary" mark={<AnyWalletMark />} onPress={() => model.send({ type: 'wallet/setupOpened' })}>
          {t('cryptoOther.setup')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
