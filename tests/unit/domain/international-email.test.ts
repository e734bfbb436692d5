import { domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asciiDomain, writtenEmail } from '#domain/contacts/international-domain.ts';
import { checkEmail, emailKey, emailKeys, isEmailAddress } from '#server-rules/accounts.ts';

describe('Addresses in other scripts', () => {
  it.each([
    'ada@käse.example',
    '例@例え.テスト',
    'Дана@Пример.рф',
    'ünal@exämple.com',
    'สมชายทำ@ตัวอย่าง.ไทย',
    'न@उदाहरण.भारत',
    'مثال@مثال.إختبار',
    'ada@straße.example',
    "o'hara+x@example.com",
  ])('%s is taken', (email) => expect(isEmailAddress(email)).toBe(true));

  it.each([
    ['full-width letters in the domain', 'ada@ｇmail.com'],
    ['full-width letters before the @', 'ａda@gmail.com'],
    ['a full-width @', 'ada＠gmail.com@evil.example'],
    ['a full-width dot', 'ada@gmail。com'],
    ['a long s', 'ada@ſoft.example'],
    ['the sign for Kelvin', 'ada@\u212Aelvin.example'],
    ['the sign for Kelvin before the @', '\u212Aate@example.com'],
    ['the sign for Angstrom', '\u212Bsa@example.com'],
    ['a ligature', 'o\uFB03ce@example.com'],
    ['a circled digit', 'ada①@example.com'],
    ['the capital ß, on which versions of Unicode differ', 'ada@stra\u1E9Ee.example'],
    ['a zero-width space', 'a\u200Bda@example.com'],
    ['a zero-width joiner', 'ada@a\u200Db.example'],
    ['a soft hyphen', 'ada@gm\u00ADail.com'],
    ['an order of writing', 'ada\u202E@example.com'],
    ['a variation selector', 'ada\uFE0F@example.com'],
    ['a grapheme joiner', 'a\u034Fda@example.com'],
    ['a Hangul filler', 'ada\u3164@example.com'],
    ['a blank pattern of Braille', 'ada\u2800@example.com'],
    ['a mark without its letter', '\u0301ada@example.com'],
    ['a label that begins with a mark', 'ada@\u0301a.example'],
    ['both directions in one label', 'ada@אבa.example'],
    ['half of a character', 'ada\uD83D@example.com'],
    ['what ends a host in an address', 'ada@käse/x.example'],
    ['an escape', 'ada@k%C3%A4se.ä.example'],
    ['a label that is too long', `ada@${'ä'.repeat(60)}.example`],
    ['more bytes before the @ than SMTP carries', `${'ü'.repeat(33)}@example.com`],
    ['more bytes than SMTP carries', `${'ä'.repeat(130)}@example.com`],
  ])('%s is refused', (_, email) => {
    expect(isEmailAddress(email)).toBe(false);
    expect(() => checkEmail(email)).toThrow();
  });

  it.each([
    ['ada@käse.example', 'ada@xn--kse-qla.example'],
    ['Ada@KÄSE.Example', 'ada@XN--KSE-QLA.example'],
    ['ada@ka\u0308se.example', 'ada@k\u00E4se.example'],
    ['u\u0308nal@example.com', '\u00FCnal@example.com'],
    ['ДАНА@пример.рф', 'дана@xn--e1afmkfd.xn--p1ai'],
    ['Ünal@example.com', 'ünal@example.com'],
    ['J\u030Cani@example.com', '\u01F0ani@example.com'],
    ['\u03AA\u0342@example.com', '\u1FD7@example.com'],
  ])('%s and %s are one account', (a, b) => expect(emailKey(a)).toBe(emailKey(b)));

  it.each([
    ['ada@gmail.com', 'ada@gmаil.com'],
    ['ada@gmail.com', 'ada@gmaıl.com'],
    ['ada@gmail.com', 'ada@ｇmail.com'],
    ['ada@gmail.com', 'ada@xn--gmail-.com'],
    ['ada@straße.example', 'ada@strasse.example'],
    ['maß@example.com', 'mass@example.com'],
    ['ılk@example.com', 'ilk@example.com'],
    ['ılk@example.com', 'Ilk@example.com'],
    ['İlk@example.com', 'ilk@example.com'],
    ['ας@example.com', 'ασ@example.com'],
    ['kate@example.com', '\u212Aate@example.com'],
    ['аda@example.com', 'ada@example.com'],
    ['ａda@example.com', 'ada@example.com'],
    ['a\u0301da@example.com', 'ada@example.com'],
    ['ada@käse.example', 'ada@kase.example'],
    ['ada@käse.example', 'ada@kàse.example'],
  ])('%s and %s are two accounts', (a, b) => expect(emailKey(a)).not.toBe(emailKey(b)));

  it('have one key, which is its own key, and for ASCII the address in small letters', () => {
    expect(emailKeys('Ada.L+x@Example.COM')).toEqual(['ada.l+x@example.com']);
    expect(emailKeys('Ada@Käse.example')).toEqual(['ada@käse.example', 'ada@xn--kse-qla.example']);
    for (const email of [
      'Ada@Käse.example',
      'ДАНА@пример.рф',
      'ΑΣ@example.com',
      'İ@İ.example',
      'J\u030C@example.com',
    ]) {
      expect(emailKey(emailKey(email))).toBe(emailKey(email));
    }
    expect(emailKey('part of an address')).toBe('part of an address');
  });

  it('are shown as people write them', () => {
    expect(writtenEmail('ada@xn--kse-qla.example')).toBe('ada@käse.example');
    expect(writtenEmail('дана@XN--E1AFMKFD.xn--p1ai')).toBe('дана@пример.рф');
    expect(writtenEmail('Ada@Example.com')).toBe('Ada@Example.com');
  });

  it.each([
    'ada@xn--gmail-.com',
    'ada@xn--99999999999.com',
    'ada@xn--.com',
    'ada@xn--a-ecp.ru-',
    'ada@xn--iba.com\u0301',
  ])('are shown as they are when their Punycode stands for no name: %s', (email) =>
    expect(writtenEmail(email)).toBe(email),
  );

  it('are read from Punycode as the platform reads it', () => {
    const letters = [0x61, 0x430, 0x4e00, 0xe4, 0x3042, 0x5d0, 0x20bb7];
    for (let round = 0; round < 2000; round += 1) {
      const label = [0, 1, 2, 3].map((place) =>
        String.fromCodePoint(letters[(round >> place) % 7]! + (round % (place + 7))),
      );
      const domain = asciiDomain(`${label.join('')}.example`);
      if (domain !== null) expect(writtenEmail(`x@${domain}`)).toBe(`x@${domainToUnicode(domain)}`);
    }
  });
});
