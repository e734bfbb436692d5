/**
 * Base58 with Bitcoin's alphabet, the encoding of Solana's addresses and signatures. It takes quadratic time, so it is for short texts
 * only.
 */

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The maximum length of a text to decode: enough for 64 bytes. */
const MAX_TEXT = 90;

/** Reads `digits` of one base and writes them in another, most significant first, without leading zeros. */
function convert(digits: readonly number[], from: number, to: number): number[] {
  const result: number[] = [];
  for (const digit of digits) {
    let carry = digit;
    for (let at = result.length - 1; at >= 0; at -= 1) {
      carry += (result[at] ?? 0) * from;
      result[at] = carry % to;
      carry = Math.floor(carry / to);
    }
    while (carry > 0) {
      result.unshift(carry % to);
      carry = Math.floor(carry / to);
    }
  }
  return result;
}

/** The leading zeros. Each is one digit in both bases. */
function leadingZeros(digits: readonly number[]): number[] {
  const first = digits.findIndex((digit) => digit !== 0);
  return digits.slice(0, first === -1 ? digits.length : first);
}

export function base58(bytes: Uint8Array): string {
  const digits = Array.from(bytes);
  return [...leadingZeros(digits), ...convert(digits, 256, 58)].map((digit) => ALPHABET.charAt(digit)).join('');
}

/** The bytes of a base58 text, or null when it is not base58 or too long. */
export function bytesOfBase58(text: string): Uint8Array | null {
  if (text.length > MAX_TEXT) return null;
  const digits = Array.from(text, (letter) => ALPHABET.indexOf(letter));
  if (digits.includes(-1)) return null;
  return Uint8Array.from([...leadingZeros(digits), ...convert(digits, 58, 256)]);
}
