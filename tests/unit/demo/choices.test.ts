import { describe, expect, it } from 'vitest';
import { DEFAULTS, readChoices, writeChoices, type Choices } from '../../../demo/parts/choices.ts';
import { decode, encode } from '../../../demo/parts/codec.ts';
import { THEMES, WAYS } from '../../../demo/parts/presets.ts';

const ORIGIN = 'http://localhost:3000';
const read = (search: string): Choices => readChoices(search, ORIGIN);
const nested = (levels: number): object => (levels === 0 ? {} : { products: [], inner: nested(levels - 1) });
const reread = (choices: Partial<Choices>): Choices => read(writeChoices({ ...DEFAULTS, ...choices }));

describe('JSON in an address', () => {
  it('comes back as it was, whatever letters are in it', () => {
    for (const value of [{}, [], 'ä', { text: '日本語 👋 \u0000 "+/=' }, { deep: [{ a: null }, 1.5, true] }]) {
      expect(decode(encode(value))).toEqual(value);
    }
  });

  it('holds nothing that an address would change', () => {
    expect(encode({ text: '>>>???ÿÿÿ~~~' })).toMatch(/^[\w-]+$/u);
  });

  it('is nothing when it was cut short or never was JSON', () => {
    for (const text of ['', '%', 'e30x', '{}', 'gICA', encode({ a: 1 }).slice(0, 4)])
      expect(decode(text)).toBeUndefined();
  });
});

describe('the address of the demo', () => {
  it('is empty for the defaults', () => {
    expect(writeChoices(DEFAULTS)).toBe('');
    expect(read('')).toEqual(DEFAULTS);
  });

  it('has a word for every usual way and look', () => {
    for (const [way, config] of Object.entries(WAYS)) {
      expect(reread({ config }).config).toEqual(config);
      expect(writeChoices({ ...DEFAULTS, config })).toBe(way === 'passcode' ? '' : `?by=${way}`);
    }
    for (const [theme, styles] of Object.entries(THEMES)) {
      expect(reread({ styles }).styles).toEqual(styles);
      expect(writeChoices({ ...DEFAULTS, styles })).toBe(theme === 'modern' ? '' : `?theme=${theme}`);
    }
  });

  it('keeps what has no word whole', () => {
    const own: Choices = {
      config: {
        products: ['crypto', 'otp'],
        otpOptions: { methods: ['sms'] },
        enableShadowDOM: true,
        defaultCountry: 'DE',
      },
      styles: { colors: { primary: '#123456' }, hideHeaderText: true },
      strings: { 'main.title': 'Grüß dich' },
      language: 'de',
      wallet: 'refuses',
      stay: true,
    };
    expect(reread(own)).toEqual(own);
  });

  it('keeps the shadow root and the title beside a word', () => {
    const config = { ...WAYS.link, enableShadowDOM: true };
    const styles = { ...THEMES.brand, hideHeaderText: true };
    expect(writeChoices({ ...DEFAULTS, config, styles })).toBe('?by=link&shadow=1&theme=brand&header=off');
    expect(reread({ config, styles })).toEqual({ ...DEFAULTS, config, styles });
  });

  it('takes words that it does not know for the default', () => {
    expect(read('?by=constructor&theme=toString&language=<b>&wallet=yes&stay=no')).toEqual(DEFAULTS);
  });

  it('passes on fields that the playground has no control for', () => {
    const config = { products: ['otp'], otpOptions: { methods: ['email'], loginTemplateId: 'mine' }, later: { x: 1 } };
    expect(read(`?config=${encode(config)}`).config).toEqual(config);
  });

  const wrong: readonly (readonly [string, string, unknown, string])[] = [
    ['a list', 'config', [], 'config must be an object'],
    ['null', 'config', null, 'config must be an object'],
    ['products of the wrong shape', 'config', { products: ['otp', 1] }, 'config.products must be an array of strings'],
    ['no methods', 'config', { otpOptions: {} }, 'config.otpOptions.methods must be an array of strings'],
    ['a provider that is none', 'config', { oauthOptions: { providers: ['google'] } }, 'config.oauthOptions.providers'],
    [
      'minutes in words',
      'config',
      { sessionOptions: { sessionDurationMinutes: '60' } },
      'sessionDurationMinutes must be',
    ],
    [
      'a foreign page',
      'config',
      { oauthOptions: { providers: [], loginRedirectURL: 'https://evil.example/' } },
      'a page of',
    ],
    ['no page', 'config', { passwordOptions: { resetPasswordRedirectURL: 'javascript:alert(1)' } }, 'a page of'],
    ['a foreign way in', 'config', { accountOptions: { signIn: 'https://evil.example/' } }, 'signIn must be a page of'],
    [
      'a script for a way in',
      'config',
      { accountOptions: { signIn: 'javascript:alert(1)' } },
      'signIn must be a page of',
    ],
    ['a look of words', 'styles', 'red', 'styles must be an object'],
    [
      'style sheets',
      'styles',
      { preset: { name: 'modern', sheets: ['*{display:none}'] } },
      'styles.preset must be a name',
    ],
    ['a picture from elsewhere', 'styles', { logo: { logoImageUrl: 'https://evil.example/seen.png' } }, 'a picture of'],
    ['a picture that is data', 'styles', { logo: { logoImageUrl: 'data:image/svg+xml,<svg/>' } }, 'a picture of'],
    ['a nest', 'config', nested(12), 'config is nested deeper than 8 levels'],
    ['a flood', 'strings', { 'main.title': 'a'.repeat(20_000) }, 'strings is longer than 16384 characters'],
    ['texts that are none', 'strings', { 'main.title': { html: 1 } }, 'strings must be an object of strings'],
  ];
  it.each(wrong)('refuses %s', (_what, name, value, message) => {
    expect(() => read(`?${name}=${encode(value)}`)).toThrow(message);
  });

  it('takes a picture of this site', () => {
    for (const logoImageUrl of ['/logo.svg', `${ORIGIN}/logo.svg`]) {
      expect(read(`?styles=${encode({ logo: { logoImageUrl } })}`).styles.logo).toEqual({ logoImageUrl });
    }
  });

  it('sets no prototype', () => {
    const search = `?config=${encode(JSON.parse('{"__proto__":{"polluted":1},"products":["otp"]}'))}`;
    read(search);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
