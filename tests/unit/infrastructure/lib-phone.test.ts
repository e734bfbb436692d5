import { describe, expect, it } from 'vitest';
import { plainPhoneText } from '#domain/contacts/phone-number.ts';
import { LibPhone } from '#infrastructure/input/lib-phone.ts';
import { soakIt } from '../../soak-tests.ts';

/** The chosen country, what somebody types, and the number in E.164; null for none. */
const ROWS: readonly (readonly [country: string, typed: string, number: string | null])[] = [
  ['US', '(201) 555-0123', '+12015550123'],
  ['US', '1 201 555 0123', '+12015550123'],
  ['US', '201.555.0123', '+12015550123'],
  ['US', '555-0123', null],
  ['US', '011 44 20 7946 0958', '+442079460958'],
  ['US', '0049 151 23456789', '+4915123456789'],
  ['AU', '0011 44 20 7946 0958', '+442079460958'],
  ['JP', '0049 1512 345', null],
  ['US', '\u202A+1 (201) 555-0123\u202C', '+12015550123'],
  ['US', '２０１５５５０１２３', '+12015550123'],
  ['US', 'tel:+1-201-555-0123', '+12015550123'],
  ['US', '1-800-FLOWERS', null],
  ['US', '(201) 555-0123 ext. 12', null],
  ['US', '+1 201 555 0123;ext=12', null],
  ['CA', '506-234-5678', '+15062345678'],
  ['MX', '55 1234 5678', '+525512345678'],
  ['MX', '+52 55 1234 5678', '+525512345678'],
  ['BR', '(11) 96123-4567', '+5511961234567'],
  ['BR', '011 96123-4567', '+5511961234567'],
  ['AR', '011 15-2345-6789', '+5491123456789'],
  ['AR', '+54 9 11 2345-6789', '+5491123456789'],
  ['CL', '(2) 2123 4567', '+56221234567'],
  ['CO', '321 1234567', '+573211234567'],
  ['GB', '07400 123456', '+447400123456'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['GB', '+44 (0)7400 123456', '+447400123456'],
  ['GB', '00 33 6 12 34 56 78', '+33612345678'],
  ['GB', '07400 12345', null],
  ['IE', '085 012 3456', '+353850123456'],
  ['FR', '06 12 34 56 78', '+33612345678'],
  ['FR', '0033 6 12 34 56 78', '+33612345678'],
  ['FR', '6 12 34 56', null],
  ['DE', '01512 3456789', '+4915123456789'],
  ['DE', '0151/23456789', '+4915123456789'],
  ['DE', '030 123456', '+4930123456'],
  ['DE', '0151 23456', null],
  ['DE', '15123456', null],
  ['AT', '0664 123456', '+43664123456'],
  ['CH', '078 123 45 67', '+41781234567'],
  ['NL', '06 12345678', '+31612345678'],
  ['BE', '0470 12 34 56', '+32470123456'],
  ['LU', '628 123 456', '+352628123456'],
  ['IT', '312 345 6789', '+393123456789'],
  ['IT', '06 6982 0123', '+390669820123'],
  ['ES', '612 34 56 78', '+34612345678'],
  ['PT', '912 345 678', '+351912345678'],
  ['PL', '512 345 678', '+48512345678'],
  ['CZ', '601 123 456', '+420601123456'],
  ['HU', '06 20 123 4567', '+36201234567'],
  ['SE', '070-123 45 67', '+46701234567'],
  ['NO', '406 12 345', '+4740612345'],
  ['DK', '34 41 23 45', '+4534412345'],
  ['FI', '041 2345678', '+358412345678'],
  ['RU', '8 (912) 345-67-89', '+79123456789'],
  ['KZ', '8 (771) 000 9998', '+77710009998'],
  ['TR', '0501 234 56 78', '+905012345678'],
  ['IL', '050-234-5678', '+972502345678'],
  ['AE', '050 123 4567', '+971501234567'],
  ['SA', '051 234 5678', '+966512345678'],
  ['SA', '٠٥١٢٣٤٥٦٧٨', '+966512345678'],
  ['EG', '0100 123 4567', '+201001234567'],
  ['ZA', '071 123 4567', '+27711234567'],
  ['NG', '0802 123 4567', '+2348021234567'],
  ['IN', '081234 56789', '+918123456789'],
  ['IN', '+91 81234 56789', '+918123456789'],
  ['IN', '81234 5678', null],
  ['CN', '131 2345 6789', '+8613123456789'],
  ['CN', '13123456', null],
  ['JP', '090-1234-5678', '+819012345678'],
  ['KR', '010-2000-0000', '+821020000000'],
  ['ID', '0812-345-678', '+62812345678'],
  ['SG', '8123 4567', '+6581234567'],
  ['AU', '0412 345 678', '+61412345678'],
  ['NZ', '021 123 4567', '+64211234567'],
  ['AX', '041 2345678', '+358412345678'],
  ['XX', '0412 345 678', null],
  ['XX', '+61 412 345 678', '+61412345678'],
];

describe('typed numbers of forty countries', () => {
  const phone = new LibPhone();
  it.each(ROWS)('in %s, %j is %s', async (country, typed, number) => {
    const parsed = await phone.parse(plainPhoneText(typed), country);
    expect(parsed.valid ? parsed.number : null).toBe(number);
  });

  it('is not changed by being written nicely', async () => {
    for (const [country, typed, number] of ROWS) {
      if (number === null) continue;
      const { text, country: own } = await phone.format(plainPhoneText(typed), country);
      const parsed = await phone.parse(text, own ?? country);
      expect(parsed.valid ? parsed.number : `${country} ${text}`).toBe(number);
    }
  });

  soakIt('grows digit by digit into the same number', async () => {
    for (const [country, typed, number] of ROWS) {
      if (number === null || !/^\+?[\d\s().-]+$/u.test(typed)) continue;
      let now = { text: '', country: null as string | null };
      let chosen = country;
      for (const char of typed.replaceAll(/[^+\d]/gu, '')) {
        now = await phone.format(now.text + char, chosen);
        chosen = now.country ?? chosen;
      }
      const parsed = await phone.parse(now.text, chosen);
      expect(parsed.valid ? parsed.number : `${country} ${now.text}`).toBe(number);
    }
  });
});
