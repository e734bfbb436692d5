import { describe, expect, it } from 'vitest';
import { base64, base64OfText } from '#domain/encoding.ts';
import { base64url } from '#domain/base64url.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('encoding', () => {
  // RFC 4648, section 10
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('writes %o in base64 as the RFC does', (text, encoded) => {
    expect(base64(bytes(text))).toBe(encoded);
  });

  it('agrees with the platform on every byte', () => {
    const all = Uint8Array.from({ length: 259 }, (_, index) => index % 256);
    expect(base64(all)).toBe(Buffer.from(all).toString('base64'));
    expect(base64url(all)).toBe(Buffer.from(all).toString('base64url'));
  });

  it('takes text beyond Latin-1, on which btoa throws', () => {
    expect(Buffer.from(base64OfText('häß.рф 🔑'), 'base64').toString()).toBe('häß.рф 🔑');
  });
});
