import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { challengeFrom, isProofKeyPair, verifierFrom, VERIFIER_WORDS } from '../../../src/domain/pkce.ts';

describe('proof keys', () => {
  it('keep all 32 bits of each word, zeros included', () => {
    const words = new Uint32Array(VERIFIER_WORDS);
    words[0] = 1;
    words[15] = 0xffffffff;
    const verifier = verifierFrom(words);
    expect(verifier).toHaveLength(128);
    expect(verifier).toMatch(/^00000001(00000000){14}ffffffff$/u);
  });

  // RFC 7636, appendix B
  it('make the challenge of the RFC from its verifier', () => {
    const digest = createHash('sha256').update('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk').digest();
    expect(challengeFrom(digest)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('are pairs of two strings', () => {
    expect(isProofKeyPair({ code_verifier: 'v', code_challenge: 'c' })).toBe(true);
    expect(isProofKeyPair({ code_verifier: 'v' })).toBe(false);
    expect(isProofKeyPair(null)).toBe(false);
  });
});
