import { WALLETS, type WalletKind } from '../../domain/wallets.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';

/** A button for each wallet. */
export function WalletList({ wallets }: { readonly wallets: readonly WalletKind[] }) {
  const { model, t } = useWidget();
  return wallets.map((wallet) => (
    <Button key={wallet} look="secondary" onPress={() => model.send({ type: 'wallet/chosen', wallet })}>
      {t('wallets.continue', { wallet: WALLETS[wallet].name })}
    </Button>
  ));
}
