import type { WalletKind } from '../../domain/wallets.ts';

/**
 * The crypto wallets of the browser (EIP-1193, EIP-6963, and what Solana's wallets offer).
 *
 * - `detect` answers the kinds that are there, each once, and does not reject; a wallet that announces itself later is
 *   in a later answer;
 * - `connect` asks the person for an address and answers it;
 * - `sign` answers the signature of the message by that address: hexadecimal for ethereum, base58 for solana;
 * - both reject with an Error, 'Could not connect to wallet' or 'Could not sign message', when the person refuses, the
 *   wallet is not there or throws, or it answers something else.
 */
export interface WalletPort {
  detect(): Promise<readonly WalletKind[]>;
  connect(wallet: WalletKind): Promise<string>;
  sign(wallet: WalletKind, message: string, address: string): Promise<string>;
}
