import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { CALLING_CODES, mainCountryOf } from '#domain/contacts/calling-codes.ts';
import { configuredCountry } from '#domain/contacts/phone.ts';
import { plainPhoneText, unparsedNumber, withoutCallingCode } from '#domain/contacts/phone-number.ts';
import { mainLayout } from '#domain/screens/main-layout.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';

describe('the calling codes', () => {
  it('are those of every country that libphonenumber knows', () => {
    const theirs = getCountries().map((country) => [country, getCountryCallingCode(country)] as const);
    expect(CALLING_CODES.size).toBeGreaterThan(240);
    expect(Object.fromEntries(CALLING_CODES)).toEqual(Object.fromEntries(theirs));
  });

  it.each([
    ['US', '1'],
    ['DE', '49'],
    ['GB', '44'],
    ['JP', '81'],
    ['BR', '55'],
    ['IN', '91'],
    ['XK', '383'],
    ['CI', '225'],
  ])('%s is +%s', (country, code) => {
    expect(CALLING_CODES.get(country)).toBe(code);
  });

  it.each([
    ['1', 'US'],
    ['7', 'RU'],
    ['39', 'IT'],
    ['44', 'GB'],
    ['47', 'NO'],
    ['61', 'AU'],
    ['358', 'FI'],
    ['599', 'CW'],
  ])('+%s is known for %s', (code, country) => {
    expect(mainCountryOf(code)).toBe(country);
  });

  it('name no country for what is no code', () => {
    for (const code of ['', '0', '999', '1415', '+1']) expect(mainCountryOf(code)).toBeNull();
  });
});

describe('the configured country', () => {
  it('is the United States unless it has the form of a country', () => {
    expect(configuredCountry({})).toBe('US');
    expect(configuredCountry({ defaultCountry: 'DE' })).toBe('DE');
    expect(configuredCountry({ defaultCountry: 'gb' })).toBe('GB');
    for (const wrong of ['', 'DEU', '+49', '<b>', 49, null, {}]) {
      expect(configuredCountry({ defaultCountry: wrong })).toBe('US');
    }
  });
});

describe('a number that nothing could parse in time', () => {
  it.each([
    ['(415) 555-2671', '1', '+14155552671', '+1 4155552671'],
    // Nothing is dropped: whoever dials a 0 at home sees it in the destination.
    ['01512 3456789', '49', '+49015123456789', '+49 015123456789'],
    ['+49 1512 3456789', '1', '+4915123456789', '+4915123456789'],
    [' \u202A+49 1512 3456789\u202C ', '1', '+4915123456789', '+4915123456789'],
    ['٤١٥٥٥٥٢٦٧١', '1', '+14155552671', '+1 4155552671'],
    ['４１５５５５２６７１', '1', '+14155552671', '+1 4155552671'],
    ['+۴۹ ۱۵۱۲ ۳۴۵۶۷۸۹', '1', '+4915123456789', '+4915123456789'],
  ])('%j with +%s is %s', (typed, code, number, international) => {
    expect(unparsedNumber(typed, code)).toEqual({ number, international });
  });

  it.each(['', '   ', '+', 'call me', '+0 123', '1'.repeat(16), `+${'1'.repeat(16)}`])('%j is none', (typed) => {
    expect(unparsedNumber(typed, '1')).toBeNull();
  });
});

describe('a typed number', () => {
  it('is read with the digits of any keyboard', () => {
    expect(plainPhoneText('＋４９\u00A0(0)１５１')).toBe('+49 (0)151');
    expect(plainPhoneText('\u200E+1 415 555 2671\u200F')).toBe('+1 415 555 2671');
  });

  it('loses its calling code when another country is chosen for it', () => {
    expect(withoutCallingCode('+49 1512 345', '49')).toBe('1512 345');
    expect(withoutCallingCode('+1 415', '49')).toBe('+1 415');
    expect(withoutCallingCode('01512', '49')).toBe('01512');
  });
});

describe('the tabs of the login form', () => {
  const tabs = (config: LoginConfig) => mainLayout(config).tabs;

  it('are in the order of the products, and of the passcode methods', () => {
    expect(tabs({})).toEqual(['email']);
    expect(tabs({ products: ['oauth'] })).toEqual([]);
    expect(tabs({ products: ['otp'], otpOptions: { methods: ['whatsapp', 'email', 'sms'] } })).toEqual([
      'whatsapp',
      'email',
      'sms',
    ]);
    expect(tabs({ products: ['emailMagicLinks', 'otp'], otpOptions: { methods: ['sms'] } })).toEqual(['email', 'sms']);
    expect(tabs({ products: ['otp', 'emailMagicLinks'], otpOptions: { methods: ['sms'] } })).toEqual(['sms', 'email']);
  });

  it('hold email once, with the password flow where passwords are enabled', () => {
    const config: LoginConfig = { products: ['otp', 'passwords'], otpOptions: { methods: ['email', 'sms'] } };
    expect(mainLayout(config)).toMatchObject({ email: 'password', tabs: ['email', 'sms'] });
    expect(mainLayout({ products: ['passwords', 'emailMagicLinks'] })).toMatchObject({
      email: 'password',
      tabs: ['email'],
    });
  });

  it('know no method that the host made up, and none twice', () => {
    const methods = ['sms', 'pigeon', 'sms', 'constructor'] as never;
    expect(tabs({ products: ['otp'], otpOptions: { methods } })).toEqual(['sms']);
    expect(tabs({ products: ['otp'], otpOptions: { methods: [] } })).toEqual([]);
  });
});
