import { describe, expect, it } from 'vitest';
import { contextOf, methodsOf, missingProof } from '#domain/rules/authentication-methods.ts';
import { FACTORS, PASSWORD_FACTOR, stamped, type NewFactor } from '#domain/rules/factors.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const phone = { method_id: 'phone-1', value: '+14155550100' };
const email = { method_id: 'email-1', value: 'a@example.com' };
const passkey = { webauthn_registration_id: 'w', domain: 'localhost', user_agent: '' };
const trusted = { type: 'trusted_device', delivery_method: 'trusted_device' };
const session = (...factors: (NewFactor | readonly [NewFactor, number])[]) => ({
  authentication_factors: factors.map((each) =>
    'type' in each ? stamped(each, NOW) : stamped(each[0], NOW - each[1] * MINUTE),
  ),
});

describe('the context of a session', () => {
  it.each([
    ['a password', [PASSWORD_FACTOR], 1],
    ['a password and a code by mail', [PASSWORD_FACTOR, FACTORS.passcode('email', email)], 1],
    ['a code and a link to one mailbox', [FACTORS.passcode('email', email), FACTORS.magicLink(email)], 1],
    ['codes by both channels to one phone', [FACTORS.passcode('sms', phone), FACTORS.passcode('whatsapp', phone)], 1],
    ['an app and its recovery code', [FACTORS.totp('t'), FACTORS.recovery_codes('t', 'c')], 1],
    ['a password in a trusted browser', [PASSWORD_FACTOR, trusted], 1],
    ['a passkey', [FACTORS.webauthn(passkey)], 1],
    ['a passkey that verified its user', [{ ...FACTORS.webauthn(passkey), amr: ['pop', 'mfa'] }], 2],
    ['a password and an app', [PASSWORD_FACTOR, FACTORS.totp('t')], 2],
    ['a password and a code by text', [PASSWORD_FACTOR, FACTORS.passcode('sms', phone)], 2],
    [
      'an impersonator of a user',
      [FACTORS.impersonated({ impersonator_id: 'i', impersonator_email_address: 'e' }), FACTORS.totp('t')],
      1,
    ],
  ] as const)('of %s is of the right level', (_, factors, level) => {
    expect(contextOf(session(...factors))).toBe(`urn:portico:aal${level}`);
  });
});

it('the methods of a session are values of RFC 8176, each once', () => {
  expect(methodsOf(session(PASSWORD_FACTOR, FACTORS.passcode('sms', phone), FACTORS.totp('t')))).toEqual([
    'pwd',
    'otp',
    'sms',
    'mfa',
  ]);
});

describe('a required proof', () => {
  it('of two factors is missing in a session of one, and in a trusted browser', () => {
    const lack = { factors: [], reason: 'second-factor' };
    expect(missingProof(session(PASSWORD_FACTOR), { factors: 2 }, NOW)).toEqual(lack);
    expect(missingProof(session(PASSWORD_FACTOR, trusted), { factors: 2 }, NOW)).toEqual(lack);
    expect(missingProof(session(PASSWORD_FACTOR, FACTORS.totp('t')), { factors: 2 }, NOW)).toBeNull();
  });

  it('has the age of the device’s proof where two factors are required', () => {
    const old = session(PASSWORD_FACTOR, [FACTORS.totp('t'), 11]);
    expect(missingProof(old, { maxAgeMinutes: 10 }, NOW)).toBeNull();
    expect(missingProof(old, { factors: 2, maxAgeMinutes: 10 }, NOW)).toEqual({ factors: ['totp'], reason: 'too-old' });
    const fresh = session([PASSWORD_FACTOR, 30], [FACTORS.totp('t'), 10]);
    expect(missingProof(fresh, { factors: 2, maxAgeMinutes: 10 }, NOW)).toBeNull();
  });
});
