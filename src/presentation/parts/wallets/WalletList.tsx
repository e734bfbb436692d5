import type { ScreenState } from '#domain/screens/widget-state.ts';
import { WALLETS, type WalletKind, type WalletSlots } from '#domain/wallets/wallets.ts';
import { useWalletSlots } from './useWalletSlots.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { WalletMark } from './WalletMark.tsx';

interface Props {
  readonly state: ScreenState;
  readonly slot: keyof WalletSlots;
}

/**
 * A button for each found wallet: those on Main, or those on the screen of other wallets. If Main has no other login method, it reports
 * that none was found. The style sheet puts that text under the button, so that the button does not move.
 */
export function WalletList({ state, slot }: Props) {
  const { model, layout, t } = useWidget();
  const wallets = useWalletSlots(state)[slot];
  if (slot === 'shown' && state.wallets?.length === 0 && layout.groups.length === 1)
    return <p data-part="text">{t('wallets.none')}</p>;
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
