import { describe, expect, it } from 'vitest';
import { stepUpStep } from '#domain/rules/step-up.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

const PHONE = { phone_id: 'phone-1', phone_number: '+15005550006', verified: true };
const ADA = {
  user_id: 'user-1',
  emails: [],
  phone_numbers: [PHONE, { ...PHONE, phone_id: 'phone-2', verified: false }],
  totps: [{ totp_id: 'totp-1', verified: true }],
  webauthn_registrations: [],
} as unknown as User;
const factor = (fields: object) => ({ last_authenticated_at: '2026-01-01T00:00:00Z', ...fields });
const session = (...factors: readonly object[]): Session =>
  ({
    session_id: 'session-1',
    expires_at: '2026-01-01T01:00:00Z',
    authentication_factors: factors,
  }) as unknown as Session;
const MAIL = factor({ type: 'otp', delivery_method: 'email' });
const APP = factor({ type: 'totp', delivery_method: 'authenticator_app' });
const TEXT = factor({ type: 'otp', delivery_method: 'sms', phone_number_factor: { phone_id: 'phone-1' } });
const SECOND = { reason: 'second-factor' } as const;
const OLD = { reason: 'too-old' } as const;

describe('the step of a session that lacks a proof', () => {
  it('has every second factor of the user, the strongest first, where the project requires none', () => {
    const step = stepUpStep({ session: session(MAIL), user: ADA }, SECOND, null);
    expect(step?.factors).toEqual(['totp', 'whatsapp', 'sms', 'recovery_code']);
    expect(step?.phone_numbers).toEqual([{ phone_id: 'phone-1', phone_number: '+15005550006' }]);
    expect(step?.enrol).toEqual([]);
  });

  it('has those alone that the project accepts', () => {
    expect(stepUpStep({ session: session(MAIL), user: ADA }, SECOND, ['totp'])?.factors).toEqual(['totp']);
  });

  it('leaves out what the session has proved, until that is too old', () => {
    const texted = { session: session(TEXT), user: ADA };
    expect(stepUpStep(texted, SECOND, null)?.factors).toEqual(['totp', 'recovery_code']);
    expect(stepUpStep(texted, SECOND, null)?.phone_numbers).toEqual([]);
    expect(stepUpStep({ session: session(APP), user: ADA }, SECOND, null)?.factors).toEqual(['whatsapp', 'sms']);
    expect(stepUpStep({ session: session(MAIL, APP), user: ADA }, OLD, ['totp'])?.factors).toEqual(['totp']);
  });

  it('has the factors to add for a user without one, and none where another login is needed', () => {
    const user = { ...ADA, totps: [], phone_numbers: [] };
    const step = stepUpStep({ session: session(MAIL), user }, SECOND, ['totp', 'recovery_code']);
    expect([step?.factors, step?.enrol]).toEqual([[], ['totp']]);
    expect(stepUpStep({ session: session(MAIL), user }, OLD, null)).toBeNull();
  });

  it('leads to another login method where the one second factor was the first', () => {
    const step = stepUpStep({ session: session(APP), user: { ...ADA, phone_numbers: [] } }, SECOND, ['totp']);
    expect([step?.factors, step?.enrol]).toEqual([[], []]);
  });
});
