import type { WalletKind } from '#domain/wallets/wallets.ts';

/** The pages on which a person without a wallet can install one (specification, section 2: four providers). */
export const NEW_WALLETS: readonly { readonly wallet: WalletKind; readonly url: string }[] = [
  { wallet: 'metamask', url: 'https://metamask.io/download' },
  { wallet: 'coinbase', url: 'https://www.coinbase.com/wallet/downloads' },
  { wallet: 'phantom', url: 'https://phantom.com/download' },
  { wallet: 'binance', url: 'https://www.binance.com/en/binancewallet' },
];
