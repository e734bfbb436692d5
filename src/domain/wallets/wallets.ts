/** Crypto wallets (specification, sections 2 and 3). */

/** The wallets that a page may find, in the order of their buttons. The last two stand for any other wallet of their chain. */
export const WALLETS = {
  metamask: { name: 'MetaMask', chain: 'ethereum' },
  coinbase: { name: 'Coinbase', chain: 'ethereum' },
  phantom: { name: 'Phantom', chain: 'solana' },
  vessel: { name: 'Vessel', chain: 'ethereum' },
  binance: { name: 'Binance', chain: 'ethereum' },
  ethereum: { name: 'Ethereum', chain: 'ethereum' },
  solana: { name: 'Solana', chain: 'solana' },
} as const;

/** A kind of crypto wallet that the widget knows. */
export type WalletKind = keyof typeof WALLETS;
export const WALLET_KINDS = Object.keys(WALLETS) as readonly WalletKind[];
/** The wire's `crypto_wallet_type`. */
export type WalletChain = (typeof WALLETS)[WalletKind]['chain'];

/** The maximum number of buttons on Main: social logins, wallets, and the button for other wallets. */
const PLACES = 6;

/** The wallets with a button on Main, and the wallets on the screen of other wallets (specification, section 2). */
export interface WalletSlots {
  readonly shown: readonly WalletKind[];
  readonly others: readonly WalletKind[];
}

export function walletSlots(detected: readonly WalletKind[], oauthProviderCount: number): WalletSlots {
  const slots = Math.max(0, PLACES - oauthProviderCount - 1);
  return { shown: detected.slice(0, slots), others: detected.slice(slots) };
}

/**
 * The button after the found wallets on Main: for the remaining wallets, or for a new one when none was found. Before the search
 * (null) it is the former, so that the first found wallet can replace it without moving the layout.
 */
export function moreWallets(detected: readonly WalletKind[] | null, oauthProviderCount: number): MoreWallets {
  if (detected === null) return 'wallet/othersOpened';
  if (detected.length === 0) return 'wallet/setupOpened';
  return walletSlots(detected, oauthProviderCount).others.length > 0 ? 'wallet/othersOpened' : null;
}

/** The intent of the button after the found wallets; null for none. */
export type MoreWallets = 'wallet/othersOpened' | 'wallet/setupOpened' | null;

/** The optional fields of a Sign-In with Ethereum message (EIP-4361; field names are the wire's). Times are RFC 3339. */
export interface SiweParams {
  /** The page that requests the signature. Default: its origin. */
  readonly uri?: string | undefined;
  readonly chain_id?: string | undefined;
  readonly issued_at?: string | undefined;
  readonly statement?: string | undefined;
  readonly not_before?: string | undefined;
  readonly message_request_id?: string | undefined;
  readonly resources?: readonly string[] | undefined;
}
