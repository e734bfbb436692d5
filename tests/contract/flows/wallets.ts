import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { checksummed, ethereumSigner } from '#provider/accounts/wallets/ethereum.ts';
import { isSolanaSignature } from '#provider/accounts/wallets/solana.ts';
import type { VerifySignature } from '#kit/fake-server.ts';
import type { WalletSigner } from './world.ts';

/** What a server with the curves asks of a signature. */
export const verifyReally: VerifySignature = ({ type, address }, challenge, signature) =>
  type === 'solana'
    ? isSolanaSignature(challenge, signature, address)
    : ethereumSigner(challenge, signature) === address;

interface KeyPair {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A wallet that really signs, with a new key unless one is given. Its address is spelled as EIP-55 has it. */
export function ethereumWallet({ secretKey, publicKey }: KeyPair = secp256k1.keygen()): WalletSigner {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return {
    crypto_wallet_type: 'ethereum',
    crypto_wallet_address: checksummed(`0x${hex(keccak_256(point.slice(1)).slice(-20))}`),
    sign(challenge) {
      const message = Buffer.from(challenge);
      const prefix = Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}`);
      const options = { prehash: false, format: 'recovered' } as const;
      const [recovery = 0, ...rest] = secp256k1.sign(keccak_256(Buffer.concat([prefix, message])), secretKey, options);
      return `0x${hex(Uint8Array.of(...rest, 27 + recovery))}`;
    },
  };
}

export function solanaWallet({ secretKey, publicKey }: KeyPair = ed25519.keygen()): WalletSigner {
  return {
    crypto_wallet_type: 'solana',
    crypto_wallet_address: base58.encode(publicKey),
    sign: (challenge) => base58.encode(ed25519.sign(Buffer.from(challenge), secretKey)),
  };
}
