import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/u;
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/u;
/** The recovery bytes at the end of a signature: 27 and 28 (EIP-191), and the variants of some wallets. */
const RECOVERY: Readonly<Record<number, number>> = { 0: 0, 1: 1, 27: 0, 28: 1 };

const utf8 = new TextEncoder();

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The address with the upper and lower case of EIP-55. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = hex(keccak_256(utf8.encode(digits)));
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/**
 * The address with its EIP-55 checksum, or null if invalid. Mixed case must match the checksum; addresses in lower case alone, or in upper
 * case alone, have none.
 */
export function ethereumAddress(text: string): string | null {
  if (!ADDRESS.test(text)) return null;
  const address = checksummed(text);
  const digits = text.slice(2);
  const isUncased = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isUncased || digits === address.slice(2) ? address : null;
}

/** EIP-191, version 0x45: the text that `personal_sign` signs. */
function messageHash(message: string): Uint8Array {
  const bytes = utf8.encode(message);
  const prefix = utf8.encode(`\u0019Ethereum Signed Message:\n${bytes.length}`);
  return keccak_256(Uint8Array.of(...prefix, ...bytes));
}

/** The checksummed address of the signer, or null. Only signatures with s in the lower half are accepted (EIP-2). */
export function ethereumSigner(message: string, signature: string): string | null {
  if (!SIGNATURE.test(signature)) return null;
  const bytes = Uint8Array.from(Buffer.from(signature.slice(2), 'hex'));
  const recovery = RECOVERY[bytes[64] ?? 255];
  if (recovery === undefined) return null;
  try {
    const parsed = secp256k1.Signature.fromBytes(bytes.slice(0, 64), 'compact');
    if (parsed.hasHighS()) return null;
    const key = parsed.addRecoveryBit(recovery).recoverPublicKey(messageHash(message)).toBytes(false);
    return checksummed(`0x${hex(keccak_256(key.slice(1)).slice(-20))}`);
  } catch {
    return null;
  }
}
