import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';

/** A key pair that signs. */
export interface Key<Signature> {
  readonly address: string;
  sign(message: Uint8Array): Signature;
}

/** A secret of this tab, created on first use, so that a visitor who signs out and in again is the same user. */
function secret(chain: string, make: () => Uint8Array): Uint8Array {
  const name = `portico-demo-test-wallet-${chain}`;
  const kept = sessionStorage.getItem(name);
  if (kept !== null && /^[0-9a-f]{64}$/.test(kept)) return hexToBytes(kept);
  const made = make();
  sessionStorage.setItem(name, bytesToHex(made));
  return made;
}

/** Mixed case by EIP-55. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/** Signs as `personal_sign` does: EIP-191, version 0x45. */
export function ethereumKey(): Key<string> {
  const key = secret('ethereum', () => secp256k1.utils.randomSecretKey());
  return {
    address: checksummed(bytesToHex(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20))),
    sign(message) {
      const prefix = utf8ToBytes(`\u0019Ethereum Signed Message:\n${message.length}`);
      const hash = keccak_256(Uint8Array.of(...prefix, ...message));
      const [recovery = 0, ...rs] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
      return `0x${bytesToHex(Uint8Array.of(...rs, 27 + recovery))}`;
    },
  };
}

/** Signs as Solana's wallets do: Ed25519 (RFC 8032). */
export function solanaKey(): Key<Uint8Array> & { readonly publicKey: Uint8Array } {
  const key = secret('solana', () => ed25519.utils.randomSecretKey());
  const publicKey = ed25519.getPublicKey(key);
  return {
    publicKey,
    address: base58.encode(publicKey),
    sign: (message) => ed25519.sign(message, key),
  };
}
