import { describe, expect, it } from 'vitest';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';

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
    'a,b@example.com',
    "'<b>'@example.com",
    '"ada"@example.com',
    'ada(home)@example.com',
  ])('refuses %o', (text) => expect(isEmail(text)).toBe(false));

  it('decides on a hostile text at once', () => {
    expect(isEmail(`${'a.'.repeat(50_000)}@${'b.'.repeat(50_000)}`)).toBe(false);
    expect(isEmail(`ada@${'b-'.repeat(120)}`)).toBe(false);
  });

  it.each(['  ada@example.com\n', '\u200B\u200Eada@example.com\u200F', '\u2066ada@example.com\u2069'])(
    'reads the address in the pasted text %j',
    (text) => {
      expect(typedEmail(text)).toBe('ada@example.com');
    },
  );

  it('reads a hostile text at once', () => {
    // With a pattern that tries every run of spaces again, these took minutes.
    for (const text of [' '.repeat(500_000), `a${' '.repeat(500_000)}a`]) expect(isEmail(typedEmail(text))).toBe(false);
  });

  it('leaves what stands between letters to the check', () => {
    expect(typedEmail('ada lovelace@example.com')).toBe('ada lovelace@example.com');
    expect(isEmail(typedEmail('a\u200Bda@example.com'))).toBe(false);
  });
});
