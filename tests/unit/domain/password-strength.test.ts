import { describe, expect, it } from 'vitest';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import { blamesPassword, ludsOf, meterOf, scoreOf, strengthFrom } from '#domain/passwords/password-strength.ts';
import { passwordlessMethod } from '#domain/passwords/passwordless.ts';

const POLICY = { ludsComplexity: 3, ludsMinimumCount: 8 };

describe('the missing conditions of a password', () => {
  it.each([
    ['', 8, 3],
    ['a', 7, 2],
    ['aB', 6, 1],
    ['aB1', 5, 0],
    ['aB1-', 4, 0],
    ['abcdefgh', 0, 2],
    ['Correct1', 0, 0],
    ['ÄÖÜäöü٣٤', 0, 0],
    ['🐎🐎🐎🐎🐎🐎🐎🐎', 0, 2],
    ['        ', 0, 2],
  ])('%j: %i characters and %i kinds', (password, missing_characters, missing_complexity) => {
    expect(ludsOf(password, POLICY)).toMatchObject({ missing_characters, missing_complexity });
  });

  it('names the kinds that it has', () => {
    expect(ludsOf('a 1', POLICY)).toMatchObject({
      has_lower_case: true,
      has_upper_case: false,
      has_digit: true,
      has_symbol: true,
    });
  });

  it('is nothing where the project asks for nothing', () => {
    const luds = ludsOf('', { ludsComplexity: 0, ludsMinimumCount: 0 });
    expect(luds).toMatchObject({ missing_characters: 0, missing_complexity: 0 });
  });
});

describe('the meter', () => {
  it.each([
    [0, 1, 'bad'],
    [1, 1, 'bad'],
    [2, 2, 'bad'],
    [3, 3, 'good'],
    [4, 4, 'good'],
  ] as const)('score %i fills %i, %s', (score, filled, tone) => {
    expect(meterOf(score)).toEqual({ filled, tone });
  });

  it.each([
    [-1, 0],
    [2.9, 2],
    [7, 4],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 4],
  ])('takes %d as %i', (score, known) => {
    expect(scoreOf(score)).toBe(known);
  });
});

describe("the server's answer", () => {
  it('is taken over as it is', () => {
    const reply = {
      valid_password: true,
      score: 4,
      breached_password: false,
      breach_detection_on_create: true,
      strength_policy: 'luds',
      feedback: { warning: 'w', suggestions: ['s'], luds_requirements: ludsOf('Correct1', POLICY) },
    };
    expect(strengthFrom(reply)).toEqual(reply);
  });

  it.each([null, 'no', {}, { feedback: null }, { feedback: { suggestions: 'x', luds_requirements: 7 } }])(
    'that is %j makes no password good, and breaks nothing',
    (reply) => {
      expect(strengthFrom(reply)).toMatchObject({
        valid_password: false,
        score: 0,
        feedback: { warning: '', suggestions: [], luds_requirements: { missing_characters: 0 } },
      });
    },
  );

  it('keeps only the suggestions that are text', () => {
    const { feedback } = strengthFrom({ feedback: { suggestions: ['a', 1, null, { b: 2 }] } });
    expect(feedback.suggestions).toEqual(['a']);
  });
});

describe('a refusal', () => {
  const refusal = (error_type: string) =>
    new SDKAPIError({ status_code: 400, error_type, error_message: '', error_url: '' });

  it.each(['unauthorized_credentials', 'no_user_password', 'breached_password', 'weak_password'])(
    '%s blames the password',
    (type) => {
      expect(blamesPassword(refusal(type))).toBe(true);
    },
  );

  it('of another kind does not', () => {
    expect(blamesPassword(refusal('user_lock_limit_reached'))).toBe(false);
    expect(blamesPassword(new SDKAPIUnreachableError('network'))).toBe(false);
    expect(blamesPassword(null)).toBe(false);
  });
});

describe('the way without a password', () => {
  it.each([
    [{ products: ['passwords'] as const }, null],
    [{ products: ['passwords', 'emailMagicLinks'] as const }, 'link'],
    [{ products: ['otp', 'passwords'] as const, otpOptions: { methods: ['sms', 'email'] as const } }, 'code'],
    [{ products: ['otp', 'passwords'] as const, otpOptions: { methods: ['sms'] as const } }, null],
    [{ products: ['passwords'] as const, otpOptions: { methods: ['email'] as const } }, null],
  ])('of %j is %j', (config, method) => {
    expect(passwordlessMethod(config)).toBe(method);
  });
});
