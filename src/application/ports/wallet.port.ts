import type { Observable } from 'rxjs';
import type { WalletKind } from '../../domain/wallets/wallets.ts';

/**
 * The crypto wallets of the browser (EIP-1193, EIP-6963, and the interface of Solana wallets).
 *
 * - `detect` emits the kinds that are present, each once, and emits again when they change, for example when a wallet announces
 *   itself late; it neither errors nor completes;
 * - `connect` asks the person for an address and resolves with it; while the wallet is still asking, another call shares that
 *   request;
 * - `sign` resolves with the signature of the message by that address: hexadecimal for ethereum, base58 for solana;
 * - both reject with an Error, 'Could not connect to wallet' or 'Could not sign message', when the person refuses, the wallet is
 *   missing or throws, or its answer is malformed.
 */
export interface WalletPort {
  detect(): Observable<readonly WalletKind[]>;
  connect(wallet: WalletKind): Promise<string>;
  sign(wallet: WalletKind, message: string, address: string): Promise<string>;
}
