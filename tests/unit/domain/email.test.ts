import { describe, expect, it } from 'vitest';
import { isEmail } from '../../../src/domain/email.ts';

describe('email addresses', () => {
  it.each([
    'ada@example.com',
    'a.b+c@sub.example.co',
    'x@y.museum',
    'ümit@exämple.de',
    '用户@例え.テスト',
    'дана@пример.рф',
    'ada@xn--e1afmkfd.xn--p1ai',
    'न@उदाहरण.भारत',
  ])('takes %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.c',
    'a da@example.com',
    'a@b@example.com',
    'ada@.com',
    'ada@example..com',
    'ada@example.com\n',
    'ada@exam\u200Bple.com',
    'a\u202Eda@example.com',
    'ada@例え.1',
    `${'a'.repeat(250)}@example.com`,
  ])('refuses %o', (text) => expect(isEmail(text)).toBe(false));

  it('decides on a hostile text at once', () => {
    expect(isEmail(`${'a.'.repeat(50_000)}@${'b.'.repeat(50_000)}`)).toBe(false);
  });
});
