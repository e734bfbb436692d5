import { URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { activeSection, isLastWayIn, type AccountPage } from '#domain/account/account.ts';
import { doingOf } from '#domain/account/account-changes.ts';
import { checkCanEnter } from '#server-rules/accounts.ts';
import { totpUri } from '#domain/account/totp-uri.ts';
import type { User } from '#domain/users/user.ts';

const NOTHING = {
  user_id: 'u',
  emails: [],
  phone_numbers: [],
  webauthn_registrations: [],
  providers: [],
  crypto_wallets: [],
  totps: [],
} as unknown as User;
const email = { email_id: 'e-1', email: 'ada@example.com', verified: true };
const phone = { phone_id: 'p-1', phone_number: '+15005550006', verified: true };

describe('The last way to sign in', () => {
  it('is what the server would refuse to remove', () => {
    const both = { ...NOTHING, emails: [email], phone_numbers: [phone] };
    expect(isLastWayIn(both, 'email', 'e-1')).toBe(false);
    expect(() => checkCanEnter({ ...both, emails: [] })).not.toThrow();
    const one = { ...NOTHING, emails: [email], totps: [{ totp_id: 't', verified: true }] };
    expect(isLastWayIn(one, 'email', 'e-1')).toBe(true);
    expect(() => checkCanEnter({ ...one, emails: [] })).toThrow(/last way in/u);
    expect(isLastWayIn(one, 'totp', 't')).toBe(false);
    expect(isLastWayIn({ ...NOTHING, emails: [email], passkeys: 1 } as User, 'passkey', 'none')).toBe(false);
  });

  it('is found in users whose lists a server left out', () => {
    expect(isLastWayIn({ user_id: 'u', emails: [email] } as User, 'email', 'e-1')).toBe(true);
    expect(isLastWayIn({ user_id: 'u', phone_numbers: [phone] } as User, 'email', 'e-1')).toBe(false);
  });
});

describe('The task in progress', () => {
  const resting = { at: 'resting', user: NOTHING, task: null, failed: null } as unknown as AccountPage;

  it('belongs to one section', () => {
    const otp = { type: 'sms', methodId: 'm', destination: '+1', expiresAt: 1 } as const;
    expect(activeSection(resting)).toBe(null);
    expect(activeSection({ ...resting, task: { kind: 'enterCode', otp } })).toBe('phones');
    expect(activeSection({ ...resting, task: { kind: 'enterCode', otp: { ...otp, type: 'email' } } })).toBe('emails');
    expect(activeSection({ ...resting, failed: { kind: 'remove', what: 'session', id: 's' } })).toBe('sessions');
    expect(activeSection({ ...resting, at: 'working', from: null, waiting: [], doing: { kind: 'addPasskey' } })).toBe(
      'passkeys',
    );
  });

  it('names no secret', () => {
    expect(doingOf({ kind: 'password', password: 'secret' })).toEqual({ kind: 'password' });
    expect(doingOf({ kind: 'confirmTotp', code: '123456' })).toEqual({ kind: 'confirmTotp' });
    expect(doingOf({ kind: 'remove', what: 'app', id: 'a' })).toEqual({ kind: 'remove', what: 'app', id: 'a' });
  });
});

describe('The address for an authenticator app', () => {
  it('is read by one as it was meant', () => {
    const read = URI.parse(totpUri('JBSWY3DPEHPK3PXP', 'Acme & Söhne: Login', 'ada+1@example.com'));
    expect(read).toMatchObject({
      issuer: 'Acme & Söhne  Login',
      label: 'ada+1@example.com',
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    });
    expect(read.secret.base32).toBe('JBSWY3DPEHPK3PXP');
  });

  it('takes a name that is no proper text', () => {
    expect(totpUri('A', '\ud800', 'x')).toContain('otpauth://totp/%20:x?');
  });
});
