import type { Observable } from 'rxjs';
import type { WalletKind } from '#domain/wallets/wallets.ts';

/**
 * The crypto wallets of the browser (EIP-1193 and EIP-6963; the Wallet Standard, and the interface of Solana wallets).
 *
 * - `detect` emits the kinds that are present, each once, and emits again when they change, for example when a wallet announces
 *   itself late; it neither errors nor completes;
 * - `connect` prompts the user for an address and resolves with it; concurrent calls share one prompt,
 *   and a later one, whose wallet still has not answered, may prompt again;
 * - `sign` resolves with the signature of the message by that address: hexadecimal for ethereum, base58 for solana;
 * - both reject with an Error, 'Could not connect to wallet' or 'Could not sign message', when the user declines, the wallet is
 *   missing or throws, or its response is malformed. A `cause` with the `code` 4200 or -32601 means that the wallet cannot sign
 *   messages, one with -32002 that it still shows an earlier request.
 */
export interface WalletPort {
  detect(): Observable<readonly WalletKind[]>;
  connect(wallet: WalletKind): Promise<string>;
  sign(wallet: WalletKind, message: string, address: string): Promise<string>;
}
