import { describe, expect, it } from 'vitest';
import { betterEmail } from '#presentation/parts/mails/email-hint.ts';

describe('The hint to a mistyped domain', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['Gmail.Cmo', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmial.con', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahoo.ed', 'yahoo.de'],
    ['outlok.com', 'outlook.com'],
    ['icloud.co', 'icloud.com'],
    ['web.ed', 'web.de'],
    ['mail.con', 'mail.com'],
    ['acme.con', 'acme.com'],
    ['mail.acme.ogr', 'mail.acme.org'],
  ])('%s: %s', (typed, meant) => expect(betterEmail(`Ada.L@${typed}`)).toBe(`Ada.L@${meant}`));

  it.each(
    'gmail.com googlemail.com gmx.de mail.com ymail.com email.com yahoo.co.uk yahoo.fr live.nl hotmail.be outlook.de web.de me.com aol.com qq.com mail.ru cloud.com wep.de life.com love.com google.com acme.com orange.com proton.com käse.example gmailcom.com example.co'.split(
      ' ',
    ),
  )('is not shown for %s', (domain) => expect(betterEmail(`ada@${domain}`)).toBeNull());

  it.each(['', 'ada', 'ada@gmial', '@gmial.com', 'a b@gmial.com'])('is not shown for what is no address: %j', (text) =>
    expect(betterEmail(text)).toBeNull(),
  );

  it.each([
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['ada＠example。com', 'ada@example.com'],
    ['ada@example,com', 'ada@example.com'],
    ['ada @gmail .com', 'ada@gmail.com'],
    ['mailto:ada@example.com', 'ada@example.com'],
    ['Ada Lovelace <ada@gmial.com>', 'ada@gmail.com'],
  ])('finds the address in %s', (typed, meant) => expect(betterEmail(typed)).toBe(meant));

  it.each(['ada@example.com;bob@example.com', 'ada@example.com, bob@example.com', '<ada>', 'ada@example,'])(
    'finds none in %s',
    (typed) => expect(betterEmail(typed)).toBeNull(),
  );

  it('decides at once on a long domain', () => {
    expect(betterEmail(`ada@${'gmial.'.repeat(40)}com`)).toBeNull();
    expect(betterEmail(`ada${' '.repeat(200_000)}ada`)).toBeNull();
  });
});
