import { describe, expect, it } from 'vitest';
import { passphrase } from '#presentation/parts/passwords/passphrase.ts';
import { ludsOf } from '#domain/passwords/password-strength.ts';
import { PASSPHRASE_WORDS } from '#presentation/parts/passwords/passphrase-words.ts';

/** Gives these numbers one after another. */
const from = (...numbers: readonly number[]) => {
  const rest = [...numbers];
  return () => rest.shift() ?? 0;
};
const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

describe('the words of passphrases', () => {
  it('are enough for over 50 bits in five, differ, and are plain', () => {
    expect(new Set(PASSPHRASE_WORDS).size).toBe(PASSPHRASE_WORDS.length);
    expect(5 * Math.log2(PASSPHRASE_WORDS.length)).toBeGreaterThan(51);
    expect(PASSPHRASE_WORDS.filter((word) => !/^[a-z]{3,5}$/u.test(word))).toEqual([]);
  });
});

describe('a passphrase', () => {
  it('is five words, each as likely as every other', () => {
    const words = ['a', 'b', 'c'];
    // 2 ** 32 is one more than a multiple of three: its last number would make the first word likelier, and is not used.
    expect(passphrase(words, from(0, 2 ** 32 - 1, 1, 2, 3, 4), null)).toBe('a-b-c-a-b');
    expect(passphrase(PASSPHRASE_WORDS, random, null)).toMatch(/^(?:[a-z]{3,5}-){4}[a-z]{3,5}$/u);
    expect(passphrase(PASSPHRASE_WORDS, random, null)).not.toBe(passphrase(PASSPHRASE_WORDS, random, null));
  });

  it.each([
    [1, 8],
    [2, 20],
    [3, 12],
    [4, 8],
    [4, 64],
    [3, 128],
  ])(
    'has %d kinds of characters and %d characters where the project asks for them',
    (ludsComplexity, ludsMinimumCount) => {
      const policy = { ludsComplexity, ludsMinimumCount };
      for (let turn = 0; turn < 20; turn += 1) {
        const { missing_characters, missing_complexity } = ludsOf(passphrase(PASSPHRASE_WORDS, random, policy), policy);
        expect([missing_characters, missing_complexity]).toEqual([0, 0]);
      }
    },
  );

  it('has no more of that than is needed', () => {
    const plain = { ludsComplexity: 2, ludsMinimumCount: 8 };
    expect(passphrase(PASSPHRASE_WORDS, random, plain)).toMatch(/^[a-z-]+$/u);
    expect(passphrase(PASSPHRASE_WORDS, random, { ...plain, ludsComplexity: 3 })).toMatch(/^[A-Z][a-z-]+$/u);
    expect(passphrase(PASSPHRASE_WORDS, random, { ...plain, ludsComplexity: 4 })).toMatch(/^[A-Z][a-z-]+-\d$/u);
  });
});
