/** Crypto wallets (specification, sections 2 and 3). */

/** The wallets that a page may find, in the order of their buttons; the last two are any other of their chain. */
export const WALLETS = {
  metamask: { name: 'MetaMask', chain: 'ethereum' },
  coinbase: { name: 'Coinbase', chain: 'ethereum' },
  phantom: { name: 'Phantom', chain: 'solana' },
  vessel: { name: 'Vessel', chain: 'ethereum' },
  binance: { name: 'Binance', chain: 'ethereum' },
  ethereum: { name: 'Ethereum', chain: 'ethereum' },
  solana: { name: 'Solana', chain: 'solana' },
} as const;

export type WalletKind = keyof typeof WALLETS;
export const WALLET_KINDS = Object.keys(WALLETS) as readonly WalletKind[];
/** The wire's `crypto_wallet_type`. */
export type WalletChain = (typeof WALLETS)[WalletKind]['chain'];

/** The wallet whose state stands where none was chosen (specification, section 3). */
export const DEFAULT_WALLET: WalletKind = 'metamask';

/** How many buttons for social logins and wallets, the one for other wallets among them, Main has room for. */
const PLACES = 6;

/** The wallets that have a button on Main, and those on the screen of the others (specification, section 2). */
export interface WalletSlots {
  readonly shown: readonly WalletKind[];
  readonly others: readonly WalletKind[];
}

export function walletSlots(detected: readonly WalletKind[], oauthProviderCount: number): WalletSlots {
  const slots = Math.max(0, PLACES - oauthProviderCount - 1);
  return { shown: detected.slice(0, slots), others: detected.slice(slots) };
}

/** What a Sign-In with Ethereum message may say (EIP-4361; field names are the wire's). Times are RFC 3339. */
export interface SiweParams {
  /** The page that asks; its origin unless given. */
  readonly uri?: string | undefined;
  readonly chain_id?: string | undefined;
  readonly issued_at?: string | undefined;
  readonly statement?: string | undefined;
  readonly not_before?: string | undefined;
  readonly message_request_id?: string | undefined;
  readonly resources?: readonly string[] | undefined;
}
