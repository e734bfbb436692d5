import { OAuthProviders, type LoginConfig } from 'portico';
import { describe, expect, it } from 'vitest';
import {
  fieldOf,
  moveProduct,
  oneTapOf,
  PROVIDERS,
  setField,
  setMethod,
  setOneTap,
  setProduct,
  setProvider,
  setProviders,
} from '../../../demo/playground/edits.ts';
import { checkConfig } from '#domain/widget/widget-config.ts';

describe('the choices of the playground', () => {
  it('names the nineteen social logins', () => {
    expect(PROVIDERS).toEqual(Object.fromEntries(Object.entries(OAuthProviders).map(([name, type]) => [type, name])));
  });

  it('brings with a product what it needs', () => {
    expect(setProduct({ products: [] }, 'oauth', true).oauthOptions?.providers.length).toBeGreaterThan(0);
    expect(setProduct({ products: [] }, 'otp', true).otpOptions?.methods).toEqual(['email']);
    const both = setProduct({}, 'otp', true);
    expect(both.products).toEqual(['emailMagicLinks', 'otp']);
    expect(() => checkConfig(both)).not.toThrow();
  });

  it('keeps the options of a product that is switched off', () => {
    const config: LoginConfig = { products: ['otp'], otpOptions: { methods: ['sms', 'email'], expirationMinutes: 9 } };
    expect(setProduct(setProduct(config, 'otp', false), 'otp', true)).toEqual(config);
    expect(setProduct(config, 'otp', true)).toEqual(config);
  });

  it('moves a product by one place, and not past an end', () => {
    const config: LoginConfig = { products: ['oauth', 'otp', 'passwords'] };
    expect(moveProduct(config, 'otp', -1).products).toEqual(['otp', 'oauth', 'passwords']);
    expect(moveProduct(config, 'otp', 1).products).toEqual(['oauth', 'passwords', 'otp']);
    expect(moveProduct(config, 'oauth', -1)).toBe(config);
    expect(moveProduct(config, 'passwords', 1)).toBe(config);
    expect(moveProduct(config, 'crypto', 1)).toBe(config);
  });

  it('keeps what an entry says when others come and go', () => {
    const google = { type: 'google', custom_scopes: ['calendar'] } as const;
    const config: LoginConfig = { products: ['oauth'], oauthOptions: { providers: [google], loginRedirectURL: '/x' } };
    const more = setProvider(setProvider(config, 'yahoo', true), 'apple', true);
    expect(more.oauthOptions).toEqual({
      providers: [google, { type: 'apple' }, { type: 'yahoo' }],
      loginRedirectURL: '/x',
    });
    expect(setProviders(more, []).oauthOptions?.providers).toEqual([]);
  });

  it('puts One Tap on Google alone, and takes it off without a trace', () => {
    const config = setOneTap({ products: ['otp'] }, 'floating');
    expect(config.products).toEqual(['otp', 'oauth']);
    expect(config.oauthOptions?.providers).toEqual([{ type: 'google', one_tap: true, position: 'floating' }]);
    expect(oneTapOf(config)).toBe('floating');
    const off = setOneTap(config, 'off');
    expect(off.oauthOptions?.providers).toEqual([{ type: 'google' }]);
    expect(oneTapOf(off)).toBe('off');
  });

  it('switches the product on with the first of its methods', () => {
    const config = setMethod({ products: ['passwords'] }, 'whatsapp', true);
    expect(config).toEqual({ products: ['passwords', 'otp'], otpOptions: { methods: ['whatsapp'] } });
    expect(setMethod(config, 'sms', true).otpOptions?.methods).toEqual(['sms', 'whatsapp']);
    expect(setMethod(config, 'whatsapp', false).otpOptions?.methods).toEqual([]);
  });

  it('sets a field of the look by its path, and leaves no empty shell behind', () => {
    const styles = setField({ fontFamily: 'Georgia' }, 'buttons.primary.textColor', '#fff');
    expect(styles).toEqual({ fontFamily: 'Georgia', buttons: { primary: { textColor: '#fff' } } });
    expect(fieldOf(styles, 'buttons.primary.textColor')).toBe('#fff');
    expect(fieldOf(styles, 'inputs.textColor')).toBeUndefined();
    expect(setField(styles, 'buttons.primary.textColor', undefined)).toEqual({ fontFamily: 'Georgia' });
  });
});
