import { describe, expect, it } from 'vitest';
import { hasDeclined, mayOfferPasskey, withDeclined } from '#domain/passkeys/passkey-offer.ts';
import { FACTORS, stamped } from '#domain/rules/factors.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User, WebauthnRegistration } from '#domain/users/user.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

const user = (change: Partial<User> = {}): User =>
  ({ user_id: 'u', webauthn_registrations: [], totps: [], ...change }) as unknown as User;
const email = FACTORS.passcode('email', { method_id: 'e', value: 'ada@example.com' });
const session = (...factors: Parameters<typeof stamped>[0][]): Session =>
  ({ user_id: 'u', authentication_factors: factors.map((factor) => stamped(factor, NOW)) }) as unknown as Session;

describe('a passkey is offered', () => {
  it('to a user without one who has just logged in by another method', () => {
    expect(mayOfferPasskey(user(), session(email))).toBe(true);
  });

  it('not to one who has one, or of whom nothing is known', () => {
    expect(mayOfferPasskey(user({ webauthn_registrations: [{} as WebauthnRegistration] }), session(email))).toBe(false);
    expect(mayOfferPasskey({ user_id: 'u' } as User, session(email))).toBe(false);
    expect(mayOfferPasskey(user(), {} as Session)).toBe(false);
  });

  it('not in a session of a passkey, and not to whoever acts for the user', () => {
    const passkey = FACTORS.webauthn({ webauthn_registration_id: 'w', domain: 'localhost', user_agent: '' });
    expect(mayOfferPasskey(user(), session(email, passkey))).toBe(false);
    const support = FACTORS.impersonated({ impersonator_id: 's', impersonator_email_address: 's@example.com' });
    expect(mayOfferPasskey(user(), session(support))).toBe(false);
  });

  it('not before the second factor, without which the server adds no other', () => {
    const careful = user({ totps: [{ totp_id: 't', verified: true }] });
    expect(mayOfferPasskey(careful, session(email))).toBe(false);
    expect(mayOfferPasskey(careful, session(email, FACTORS.totp('t')))).toBe(true);
    expect(mayOfferPasskey(user({ totps: [{ totp_id: 't', verified: false }] }), session(email))).toBe(true);
  });
});

describe('"Not now"', () => {
  it('holds for 90 days, for that person alone, and keeps no id', () => {
    const kept = withDeclined(null, 'user-test-ada', NOW);
    expect(kept).not.toContain('ada');
    expect(hasDeclined(kept, 'user-test-ada', NOW + 90 * DAY_MS - 1)).toBe(true);
    expect(hasDeclined(kept, 'user-test-ada', NOW + 90 * DAY_MS)).toBe(false);
    expect(hasDeclined(kept, 'user-test-eve', NOW)).toBe(false);
    const both = withDeclined(kept, 'user-test-eve', NOW + DAY_MS);
    expect(hasDeclined(both, 'user-test-ada', NOW + DAY_MS)).toBe(true);
    expect(JSON.parse(withDeclined(both, 'user-test-ada', NOW + DAY_MS))).toHaveLength(2);
  });

  it('remembers twenty people at most', () => {
    let kept: string | null = null;
    for (let person = 0; person < 30; person += 1) kept = withDeclined(kept, `user-${person}`, NOW);
    expect(JSON.parse(kept ?? '')).toHaveLength(20);
    expect(hasDeclined(kept, 'user-29', NOW)).toBe(true);
  });

  it.each(['', 'nonsense', '{}', 'null', '[null]', '[[1]]', '[["a", 1]]', `[[${2 ** 31}, 1e300]]`])(
    'is not read into %s, which somebody else may have written',
    (kept) => {
      expect(hasDeclined(kept, 'user-test-ada', NOW)).toBe(false);
      expect(JSON.parse(withDeclined(kept, 'user-test-ada', NOW))).toHaveLength(1);
    },
  );
});
