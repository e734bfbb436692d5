import { describe, expect, it } from 'vitest';
import { isDivided, mainLayout, passkeyEntry } from '#domain/screens/main-layout.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { LoginConfig, Products } from '#domain/widget/widget-config.ts';

const GOOGLE = { oauthOptions: { providers: [{ type: 'google' as const }] } };
const CONFIG: LoginConfig = { ...GOOGLE, otpOptions: { methods: ['sms'] } };
const PRODUCTS = ['oauth', 'crypto', 'emailMagicLinks', 'otp', 'passwords', 'passkeys'] as const;

const permutations = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) =>
        permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
      );
const subsets = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, at) => ((bits >> at) & 1) === 1));

const drawn = (products: readonly Products[], config: LoginConfig = CONFIG): string => {
  const layout = mainLayout({ ...config, products });
  return layout.groups.map((group, index) => (isDivided(layout, index) ? `or ${group}` : group)).join(' ');
};

describe('the contents of Main', () => {
  it('stands in the order of the products, the one form where the first of its products does', () => {
    for (const products of subsets(PRODUCTS).flatMap(permutations)) {
      const { groups } = mainLayout({ ...CONFIG, products });
      const places = groups.map((group) =>
        products.findIndex(
          (product) =>
            group === { oauth: 'oauth', crypto: 'wallets', passkeys: '' }[product as 'oauth'] ||
            (group === 'forms' && ['emailMagicLinks', 'otp', 'passwords'].includes(product)),
        ),
      );
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(new Set(groups).size).toBe(groups.length);
      expect(groups.includes('oauth')).toBe(products.includes('oauth'));
      expect(groups.includes('wallets')).toBe(products.includes('crypto'));
    }
  });

  it('has an or between social logins or wallets and the form, on either side, and nowhere else', () => {
    expect(drawn(['oauth', 'emailMagicLinks'])).toBe('oauth or forms');
    expect(drawn(['emailMagicLinks', 'oauth'])).toBe('forms or oauth');
    expect(drawn(['oauth', 'crypto', 'otp'])).toBe('oauth wallets or forms');
    expect(drawn(['crypto', 'otp', 'oauth'])).toBe('wallets or forms or oauth');
    expect(drawn(['oauth', 'crypto'])).toBe('oauth wallets');
    expect(drawn(['passwords', 'otp'])).toBe('forms');
    expect(drawn(['oauth'])).toBe('oauth');
  });

  it('has no group without anything in it', () => {
    expect(drawn(['oauth', 'otp'], { otpOptions: { methods: [] } })).toBe('');
    expect(drawn(['oauth', 'otp'], { otpOptions: { methods: ['email'] }, oauthOptions: { providers: [] } })).toBe(
      'forms',
    );
  });

  it('has a button for each provider that is known, at its place in the configuration', () => {
    const types = ['google', 'myspace', '__proto__', 'constructor', 'yahoo', ''] as OAuthProvider[];
    const { social } = mainLayout({
      products: ['oauth'],
      oauthOptions: { providers: types.map((type) => ({ type })) },
    });
    expect(social.map(({ index, type }) => [index, type])).toEqual([
      [0, 'google'],
      [4, 'yahoo'],
    ]);
    const all = (Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((type) => ({ type }));
    expect(mainLayout({ products: ['oauth'], oauthOptions: { providers: all } }).social.length).toBe(19);
  });

  it('has One Tap for Google alone, and once', () => {
    const providers = [
      { type: 'apple', one_tap: true },
      { type: 'google' },
      { type: 'google', one_tap: true },
      { type: 'google', one_tap: true },
    ] as const;
    const { social } = mainLayout({ products: ['oauth'], oauthOptions: { providers } });
    expect(social.map(({ oneTap }) => oneTap)).toEqual([false, false, true, false]);
  });
});

describe('the offer of passkeys', () => {
  const entry = (products: readonly Products[], autofill: boolean | null, config: LoginConfig = CONFIG) => {
    const given = { ...config, products };
    return passkeyEntry(given, mainLayout(given), autofill);
  };

  it('is a button, or a link where the field for an address offers passkeys', () => {
    expect(entry(['passkeys', 'emailMagicLinks'], true)).toBe('link');
    expect(entry(['passkeys', 'emailMagicLinks'], false)).toBe('button');
    expect(entry(['passkeys', 'passwords'], true)).toBe('link');
    for (const autofill of [true, false, null]) expect(entry(['oauth', 'passkeys'], autofill)).toBe('button');
    expect(entry(['passkeys', 'otp'], true)).toBe('button');
    expect(entry(['passkeys', 'otp'], true, { otpOptions: { methods: ['email'] } })).toBe('link');
  });

  it('is a button where a tab may hide that field', () => {
    for (const methods of [
      ['sms', 'email'],
      ['email', 'sms'],
    ] as const) {
      for (const autofill of [true, null])
        expect(entry(['passkeys', 'otp'], autofill, { otpOptions: { methods } })).toBe('button');
    }
  });

  it('supposes that the field does while that is not known, so that nothing moves', () => {
    expect(entry(['passkeys', 'emailMagicLinks'], null)).toBe('link');
  });

  it('is nothing where the host does without the link; the button stays', () => {
    const bare = { ...CONFIG, passkeyOptions: { link: false } };
    expect(entry(['passkeys', 'emailMagicLinks'], true, bare)).toBe(null);
    expect(entry(['passkeys', 'emailMagicLinks'], false, bare)).toBe('button');
  });

  it('is nothing without passkeys', () => {
    expect(entry(['oauth'], false)).toBe(null);
    expect(entry(['emailMagicLinks'], true)).toBe(null);
  });
});
