import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { walletSlots, type WalletSlots } from '../../domain/wallets.ts';
import { productsOf } from '../../domain/widget-config.ts';
import { useWidget } from './useWidget.ts';

/** The found wallets, shared out between Main and the screen of the others. */
export function useWalletSlots({ wallets }: WidgetState): WalletSlots {
  const { config } = useWidget();
  const providers = productsOf(config).includes('oauth') ? (config.oauthOptions?.providers.length ?? 0) : 0;
  return walletSlots(wallets, providers);
}
