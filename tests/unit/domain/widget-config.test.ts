import { describe, expect, it } from 'vitest';
import { mainLayout } from '#domain/screens/main-layout.ts';
import { checkConfig } from '#domain/widget/widget-config.ts';

describe('the widget configuration', () => {
  it('refuses passkeys alone', () => {
    expect(() => checkConfig({ products: ['passkeys'] })).toThrow(
      'Cannot use Passkeys by itself, please add another product to the config.',
    );
  });

  it('lets passkeys be alone where accounts can begin with one', () => {
    expect(() => checkConfig({ products: ['passkeys'], passkeyOptions: { signUp: true } })).not.toThrow();
    expect(() => checkConfig({ products: ['passkeys'], passkeyOptions: { signUp: false } })).toThrow('by itself');
  });

  it('refuses magic links beside email passcodes', () => {
    const products = ['emailMagicLinks', 'otp'] as const;
    expect(() => checkConfig({ products, otpOptions: { methods: ['sms', 'email'] } })).toThrow(
      'Cannot use both EML and Email OTP',
    );
    expect(() => checkConfig({ products, otpOptions: { methods: ['sms'] } })).not.toThrow();
    expect(() => checkConfig({ products })).not.toThrow();
  });

  it('shows magic links when no product is named', () => {
    expect(mainLayout({})).toMatchObject({ email: 'magicLink' });
    expect(mainLayout({ products: ['otp'], otpOptions: { methods: ['email'] } })).toMatchObject({ email: 'otp' });
    expect(mainLayout({ products: ['oauth'] })).toMatchObject({ email: null });
  });
});
