import type { ScreenState } from '#domain/screens/widget-state.ts';
import { walletSlots, type WalletSlots } from '#domain/wallets/wallets.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** The found wallets, divided between Main and the screen of other wallets. */
export function useWalletSlots({ wallets }: ScreenState): WalletSlots {
  const { layout } = useWidget();
  return walletSlots(wallets ?? [], layout.social.length);
}
