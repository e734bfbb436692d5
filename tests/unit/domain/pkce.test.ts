import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  challengeFrom,
  formatPairs,
  isProofKeyPair,
  parsePairs,
  verifierFrom,
  VERIFIER_WORDS,
  withLast,
  withoutVerifier,
  type KeptPairs,
} from '#domain/links/pkce.ts';

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

const pair = (name: string) => ({ code_verifier: `v${name}`, code_challenge: `c${name}` });
const NONE: KeptPairs = { last: null, earlier: [] };
const verifiersOf = ({ last, earlier }: KeptPairs) => [last, ...earlier].map((each) => each?.code_verifier);
const MINUTE = 60_000;

describe('the pairs that are kept', () => {
  it('are read from the one pair of the specification, and written as it where there is one', () => {
    expect(parsePairs(JSON.stringify(pair('1')), 0)).toMatchObject({ last: pair('1'), earlier: [] });
    expect(formatPairs(parsePairs(JSON.stringify(pair('1')), 0))).toBe(JSON.stringify(pair('1')));
    expect(
      isProofKeyPair(JSON.parse(formatPairs(withLast({ last: pair('1'), earlier: [] }, pair('2'), 0)) ?? '')),
    ).toBe(true);
  });

  it('are five, newest first', () => {
    let kept = NONE;
    for (const name of ['1', '2', '3', '4', '5', '6', '7']) kept = withLast(kept, pair(name), 1);
    expect(verifiersOf(parsePairs(formatPairs(kept), 1))).toEqual(['v7', 'v6', 'v5', 'v4', 'v3']);
  });

  it('are valid for ten minutes after a later flow began; the last for as long as none did', () => {
    const kept = withLast(withLast(NONE, pair('1'), 0), pair('2'), MINUTE);
    const at = (now: number) => verifiersOf(parsePairs(formatPairs(kept), now));
    expect(at(11 * MINUTE - 1)).toEqual(['v2', 'v1']);
    expect(at(11 * MINUTE)).toEqual(['v2']);
    expect(at(8 * 24 * 60 * MINUTE)).toEqual(['v2']);
    // A clock that was set back.
    expect(at(-9 * MINUTE)).toEqual(['v2']);
  });

  it('outlast a flow that begins without one', () => {
    const kept = withLast({ last: pair('1'), earlier: [] }, null, 5);
    expect(verifiersOf(parsePairs(formatPairs(kept), 6))).toEqual([undefined, 'v1']);
    expect(formatPairs(withLast(NONE, null, 5))).toBeNull();
  });

  it('go one by one, and leave nothing behind', () => {
    const kept = withLast({ last: pair('1'), earlier: [] }, pair('2'), 5);
    expect(verifiersOf(withoutVerifier(kept, 'v2'))).toEqual([undefined, 'v1']);
    expect(verifiersOf(withoutVerifier(kept, 'v1'))).toEqual(['v2']);
    expect(formatPairs(withoutVerifier(withoutVerifier(kept, 'v1'), 'v2'))).toBeNull();
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['text', '"v"'],
    ['null', 'null'],
    ['half a pair', '{"code_verifier":"v"}'],
    ['numbers', '{"code_verifier":1,"code_challenge":2}'],
    ['earlier ones that are no list', '{"earlier":{"0":{}}}'],
    ['earlier ones that are none', '{"earlier":[null,1,"v",[],{"code_verifier":"v","code_challenge":"c"}]}'],
    ['a time that is none', '{"earlier":[{"code_verifier":"v","code_challenge":"c","replaced_at":"0"}]}'],
    ['an inherited list', '{"__proto__":{"earlier":[{"code_verifier":"v","code_challenge":"c","replaced_at":0}]}}'],
  ])('are none in %s', (_, text) => expect(parsePairs(text, 0)).toEqual(NONE));

  it('keep what is whole beside what is damaged', () => {
    const text = JSON.stringify({ ...pair('2'), earlier: [{}, { ...pair('1'), replaced_at: 0 }, 7] });
    expect(verifiersOf(parsePairs(text, 0))).toEqual(['v2', 'v1']);
    const many = Array.from({ length: 50 }, (__, index) => ({ ...pair(String(index)), replaced_at: 0 }));
    expect(verifiersOf(parsePairs(JSON.stringify({ ...pair('x'), earlier: many }), 0))).toHaveLength(5);
  });
});
