import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { checksummed } from '../src/wallets/ethereum.ts';

const utf8 = new TextEncoder();
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** An Ethereum wallet: `sign` is what `personal_sign` does. */
export function ethereum() {
  const key = secp256k1.utils.randomSecretKey();
  const address = checksummed(`0x${hex(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20))}`);
  const parts = (message: string) => {
    const bytes = utf8.encode(message);
    const prefixed = Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]);
    const [recovery = 0, ...rest] = secp256k1.sign(keccak_256(prefixed), key, { prehash: false, format: 'recovered' });
    return { recovery, rs: Uint8Array.from(rest) };
  };
  return {
    type: 'ethereum',
    address,
    parts,
    sign(message: string): string {
      const { recovery, rs } = parts(message);
      return `0x${hex(rs)}${(27 + recovery).toString(16)}`;
    },
  };
}

/** A Solana wallet: `sign` is what `signMessage` does. */
export function solana() {
  const key = ed25519.utils.randomSecretKey();
  const sign = (message: string): string => base58.encode(ed25519.sign(utf8.encode(message), key));
  return { type: 'solana', address: base58.encode(ed25519.getPublicKey(key)), sign };
}
