import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';

/** A Solana wallet in software: `sign` is what `signMessage` does. */
export class SolanaWallet {
  readonly type = 'solana';
  private readonly key = ed25519.utils.randomSecretKey();
  readonly address = base58.encode(ed25519.getPublicKey(this.key));

  sign(message: string): string {
    return base58.encode(ed25519.sign(Buffer.from(message), this.key));
  }
}
