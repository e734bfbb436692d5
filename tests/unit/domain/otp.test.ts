import { describe, expect, it } from 'vitest';
import { passcodeDigits, reduceResend, timeLeft } from '#domain/passcodes/otp.ts';

describe('passcodes', () => {
  it.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    ['G-123456', '123456'],
    ['1234567', '123456'],
    ['１２３４５６', '123456'],
    ['٣٤٥ ٦٧٨', '345678'],
    ['۳۴۵۶۷۸', '345678'],
    ['abc', ''],
  ])('%s holds the digits %s', (text, digits) => {
    expect(passcodeDigits(text)).toBe(digits);
  });

  it.each([
    [300_000, '5:00'],
    [299_001, '5:00'],
    [61_000, '1:01'],
    [9_000, '0:09'],
    [1, '0:01'],
    [0, null],
    [-5, null],
    [Number.NaN, null],
  ])('with %i ms left show %s', (left, shown) => {
    expect(timeLeft(left, 0)).toBe(shown);
  });
});

describe('the resend link', () => {
  it('goes from initial over sending and sent to waiting, and round again', () => {
    expect(reduceResend('initial', 'asked')).toBe('sending');
    expect(reduceResend('sending', 'delivered')).toBe('sent');
    expect(reduceResend('sent', 'shownLongEnough')).toBe('waiting');
    expect(reduceResend('waiting', 'asked')).toBe('sending');
  });

  it('returns to initial on an error and minds nothing out of turn', () => {
    expect(reduceResend('sending', 'failed')).toBe('initial');
    expect(reduceResend('sending', 'asked')).toBe('sending');
    expect(reduceResend('sent', 'asked')).toBe('sent');
    expect(reduceResend('initial', 'delivered')).toBe('initial');
    expect(reduceResend('waiting', 'shownLongEnough')).toBe('waiting');
  });
});
