import { WALLETS, type WalletKind } from '../../domain/wallets.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';
import { WalletMark } from './WalletMark.tsx';

interface Props {
  readonly wallets: readonly WalletKind[];
  /** Something else is under way. */
  readonly off: boolean;
}

/** A button for each wallet. */
export function WalletList({ wallets, off }: Props) {
  const { model, t } = useWidget();
  const labelOf = (wallet: WalletKind): string =>
    wallet === 'ethereum' || wallet === 'solana'
      ? t(`wallets.${wallet}`)
      : t('wallets.continue', { wallet: WALLETS[wallet].name });
  return wallets.map((wallet) => (
    <Button
      key={wallet}
      look="secondary"
      off={off}
      mark={<WalletMark wallet={wallet} />}
      onPress={() => model.send({ type: 'wallet/chosen', wallet })}
    >
      {labelOf(wallet)}
    </Button>
  ));
}
