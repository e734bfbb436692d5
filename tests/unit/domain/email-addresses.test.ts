import { describe, expect, it } from 'vitest';
import { isEmail } from '#domain/contacts/email.ts';
import { checkEmail, isEmailAddress, isVouchedDomain } from '#server-rules/accounts.ts';

describe('an address that mail servers take', () => {
  it.each([
    "o'brien@example.ie",
    'a/b=c?d!#$%&*{}|~^`_-@example.com',
    '-ada-@example.com',
    'a.-b-.c@example.com',
    '007@example.com',
    'ada@1-2.example.photography',
    'ada@a--b.example',
    'ada@XN--E1AFMKFD.XN--P1AI',
    'ada@l·lull.cat',
    `${'a'.repeat(64)}@example.com`,
    `${'ü'.repeat(32)}@example.com`,
    `ada@${'b'.repeat(63)}.example`,
    `ada@example.${'c'.repeat(63)}`,
  ])('%s is taken, by the form too', (text) => {
    expect([isEmailAddress(text), isEmail(text)]).toEqual([true, true]);
  });

  it.each([
    'a,b@example.com',
    "'<b>'@example.com",
    'Ada <ada@example.com>',
    '..@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada(home)@example.com',
    'a:b@example.com',
    'a;b@example.com',
    'a\\b@example.com',
    '"ada"@example.com',
    '"a da"@example.com',
    '[ada]@example.com',
    'a\u0000da@example.com',
    'a\tda@example.com',
    'a\u00A0da@example.com',
    '=?utf-8?q?=61=64=61?=@example.com',
    'ada=?x?=@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exam_ple.com',
    'ada@example!.com',
    'ada@example.com.',
    'ada@example.com-',
    'ada@[127.0.0.1]',
    'ada@[IPv6:::1]',
    'ada@127.0.0.1',
    'ada@localhost',
    'ada@example.xn--',
    'ada@example.xn--p1ai-',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'b'.repeat(64)}.example`,
    `ada@example.${'c'.repeat(64)}`,
    `${'ü'.repeat(33)}@example.com`,
  ])('%j is none', (text) => {
    expect(isEmailAddress(text)).toBe(false);
    // The error has the name of the field.
    const refused = { type: 'invalid_email', details: { email_address: 'must be an email address' } };
    expect(() => checkEmail(text, 'email_address')).toThrow(expect.objectContaining(refused));
  });

  it('is recognized at once in a hostile text', () => {
    for (const text of [`ada@${'b-'.repeat(120)}`, `${'a.'.repeat(120)}@b.example`, `${'a'.repeat(240)}@`]) {
      expect(isEmailAddress(text)).toBe(false);
    }
  });

  it('belongs to the domains that an issuer lists, and to no other', () => {
    const listed = ['Example.org', 'käse.example'];
    const asked = [
      'a@example.ORG',
      'a@xn--kse-qla.example',
      'a@sub.example.org',
      'a@example.org.evil.example',
      'a@',
      '',
    ];
    expect(asked.map((email) => isVouchedDomain(listed, email))).toEqual([true, true, false, false, false, false]);
    expect([isVouchedDomain([], 'a@example.org'), isVouchedDomain(['*'], 'a@example.org')]).toEqual([false, true]);
  });
});
