import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/u;
/** What comes last in a signature: EIP-191's 27 and 28, and what some wallets write for them. */
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

/** The address as EIP-55 spells it, or null for what is none: mixed case must be right, lower case says nothing. */
export function ethereumAddress(text: string): string | null {
  if (!ADDRESS.test(text)) return null;
  const address = checksummed(text);
  return text === address || text === text.toLowerCase() ? address : null;
}

/** EIP-191, version 0x45: what `personal_sign` signs. */
function messageHash(message: string): Uint8Array {
  const bytes = utf8.encode(message);
  const prefix = utf8.encode(`\u0019Ethereum Signed Message:\n${bytes.length}`);
  return keccak_256(Uint8Array.of(...prefix, ...bytes));
}

/** The checksummed address of whoever signed the message, or null. Only the lower half of s counts (EIP-2). */
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
