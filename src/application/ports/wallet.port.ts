import type { Observable } from 'rxjs';
import type { WalletKind } from '../../domain/wallets.ts';

/**
 * The crypto wallets of the browser (EIP-1193, EIP-6963, and what Solana's wallets offer).
 *
 * - `detect` emits the kinds that are there, each once, and emits again when that changes, as when a wallet announces
 *   itself late; it neither errors nor completes;
 * - `connect` asks the person for an address and answers it; while the wallet still asks, another call joins that
 *   question;
 * - `sign` answers the signature of the message by that address: hexadecimal for ethereum, base58 for solana;
 * - both reject with an Error, 'Could not connect to wallet' or 'Could not sign message', when the person refuses, the
 *   wallet is not there or throws, or it answers something else.
 */
export interface WalletPort {
  detect(): Observable<readonly WalletKind[]>;
  connect(wallet: WalletKind): Promise<string>;
  sign(wallet: WalletKind, message: string, address: string): Promise<string>;
}
