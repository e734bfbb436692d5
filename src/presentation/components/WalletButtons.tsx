import { walletSlots } from '../../domain/wallets.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { productsOf } from '../../domain/widget-config.ts';
import { partOf } from '../hooks/useParts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';

/** Main's wallets: those that were found and have room, and the way to the others. */
export function WalletButtons({ state }: { readonly state: WidgetState }) {
  const { model, config, t } = useWidget();
  const providers = productsOf(config).includes('oauth') ? (config.oauthOptions?.providers.length ?? 0) : 0;
  const { shown } = walletSlots(state.wallets, providers);
  const WalletList = partOf('wallets')?.WalletList;
  return (
    <>
      {WalletList && shown.length > 0 && <WalletList wallets={shown} />}
      <Button look="secondary" onPress={() => model.send({ type: 'wallet/othersOpened' })}>
        {t('wallets.others')}
      </Button>
    </>
  );
}
