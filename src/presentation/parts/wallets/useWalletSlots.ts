import { mainLayout } from '../../../domain/screens/main-layout.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { walletSlots, type WalletSlots } from '../../../domain/wallets.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** The found wallets, shared out between Main and the screen of the others. */
export function useWalletSlots({ wallets }: WidgetState): WalletSlots {
  const { config } = useWidget();
  return walletSlots(wallets ?? [], mainLayout(config).social.length);
}
