import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { checksummed } from '#provider/accounts/wallets/ethereum.ts';

const utf8 = new TextEncoder();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** An Ethereum wallet in software: `sign` is what `personal_sign` does (EIP-191). */
export class SoftwareWallet {
  readonly type = 'ethereum';
  readonly address: string;
  private readonly key = secp256k1.utils.randomSecretKey();

  constructor() {
    const publicKey = secp256k1.getPublicKey(this.key, false).slice(1);
    this.address = checksummed(`0x${hex(keccak_256(publicKey).slice(-20))}`);
  }

  /** The signature in its parts: 32 bytes each of r and s, and the recovery bit. */
  parts(message: string): { readonly recovery: number; readonly rs: Uint8Array } {
    const bytes = utf8.encode(message);
    const prefixed = Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]);
    const signature = secp256k1.sign(keccak_256(prefixed), this.key, { prehash: false, format: 'recovered' });
    const [recovery = 0, ...rest] = signature;
    return { recovery, rs: Uint8Array.from(rest) };
  }

  sign(message: string): string {
    const { recovery, rs } = this.parts(message);
    return `0x${hex(rs)}${(27 + recovery).toString(16)}`;
  }
}
