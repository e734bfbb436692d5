import type { ScreenState } from '../../../domain/screens/widget-state.ts';
import { WALLETS, type WalletKind, type WalletSlots } from '../../../domain/wallets/wallets.ts';
import { useWalletSlots } from './useWalletSlots.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { WalletMark } from './WalletMark.tsx';

interface Props {
  readonly state: ScreenState;
  readonly slot: keyof WalletSlots;
}

/** A button for each found wallet: those on Main, or those on the screen of other wallets. */
export function WalletList({ state, slot }: Props) {
  const { model, t } = useWidget();
  const wallets = useWalletSlots(state)[slot];
  const labelOf = (wallet: WalletKind): string =>
    wallet === 'ethereum' || wallet === 'solana'
      ? t(`wallets.${wallet}`)
      : t('wallets.continue', { wallet: WALLETS[wallet].name });
  return wallets.map((wallet) => (
    <Button
      key={wallet}
      look="secondary"
      off={state.pending !== null}
      mark={<WalletMark wallet={wallet} />}
      onPress={() => model.send({ type: 'wallet/chosen', wallet })}
    >
      {labelOf(wallet)}
    </Button>
  ));
}
