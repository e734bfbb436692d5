import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';

/** 64 bytes in base58; longer text is refused before it is decoded, which takes quadratic time. */
const MAX_TEXT = 90;

function decode(text: string, length: number): Uint8Array | null {
  if (text.length > MAX_TEXT) return null;
  try {
    const bytes = base58.decode(text);
    return bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}

/** The address (base58 of the 32 bytes of a key), or null if invalid. */
export function solanaAddress(text: string): string | null {
  return decode(text, 32) === null ? null : text;
}

/** True if the holder of the address signed the message (RFC 8032, strict; base58). */
export function isSolanaSignature(message: string, signature: string, address: string): boolean {
  const key = decode(address, 32);
  const bytes = decode(signature, 64);
  if (key === null || bytes === null) return false;
  try {
    return ed25519.verify(bytes, new TextEncoder().encode(message), key, { zip215: false });
  } catch {
    return false;
  }
}
