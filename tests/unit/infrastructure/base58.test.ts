import { describe, expect, it } from 'vitest';
import { base58, bytesOfBase58 } from '#infrastructure/wallets/base58.ts';

/** Bitcoin Core's vectors: hexadecimal, base58. */
const VECTORS = [
  ['', ''],
  ['61', '2g'],
  ['626262', 'a3gV'],
  ['636363', 'aPEr'],
  ['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
  ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
  ['516b6fcd0f', 'ABnLTmg'],
  ['bf4f89001e670274dd', '3SEo3LWLoPntC'],
  ['572e4794', '3EFU7m'],
  ['ecac89cad93923c02321', 'EJDM8drfXA6uyA'],
  ['10c8511e', 'Rt5zm'],
  ['00000000000000000000', '1111111111'],
] as const;

describe('base58', () => {
  it.each(VECTORS)('writes %s as %s, and reads it', (hex, text) => {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
    expect(base58(bytes)).toBe(text);
    expect(bytesOfBase58(text)).toEqual(bytes);
  });

  it('keeps 64 bytes of any kind', () => {
    for (const fill of [0, 1, 127, 255]) {
      const bytes = Uint8Array.from({ length: 64 }, (_, at) => (fill * (at + 1)) % 256);
      expect(bytesOfBase58(base58(bytes))).toEqual(bytes);
    }
  });

  it.each(['0', 'O', 'I', 'l', 'a b', '😀', 'ä', '-', '1'.repeat(91)])('reads nothing from %j', (text) => {
    expect(bytesOfBase58(text)).toBeNull();
  });
});
