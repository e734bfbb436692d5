import { describe, expect, it } from 'vitest';
import { contextOf, CONTEXTS, lastProof, methodsOf, missingProof } from '#domain/rules/authentication-methods.ts';
import { FACTORS, withFactor, type NewFactor } from '#domain/rules/factors.ts';
import { withAdditionMark, type Additions } from '#server-rules/fresh-proof.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';

const MINUTE = 60_000;
const MAIL = FACTORS.passcode('email', { method_id: 'email-1', value: 'ada@example.com' });
const PHONE = FACTORS.passcode('sms', { method_id: 'phone-1', value: '+14155550100' });
const APP = FACTORS.totp('totp-1');

const additions = (here: readonly string[], young: readonly string[] = [], hasOlder = true): Additions => ({
  here: new Set(here),
  young: new Set(young),
  hasOlder,
});

/** The factors of a session after these proofs, each at its minute. */
function proved(proofs: readonly (readonly [minute: number, factor: NewFactor])[], added: Additions) {
  let factors: readonly AuthenticationFactor[] = [];
  for (const [minute, factor] of proofs) {
    const now = minute * MINUTE;
    factors = withFactor(factors, withAdditionMark(factor, factors, added, now), now);
  }
  return { authentication_factors: factors, started_at: new Date(0).toISOString() };
}

const isStrong = (session: ReturnType<typeof proved>): boolean => contextOf(session) === CONTEXTS.two;

describe('a login method that was added lately', () => {
  it('counts for nothing in an old session', () => {
    const session = proved(
      [
        [0, MAIL],
        [60, APP],
      ],
      additions(['totp-1']),
    );
    expect(isStrong(session)).toBe(false);
    expect(methodsOf(session)).toEqual(['otp']);
    expect(lastProof(session)).toEqual(new Date(0));
    expect(missingProof(session, { maxAgeMinutes: 10 }, 60 * MINUTE)).toMatchObject({ reason: 'too-old' });
    expect(missingProof(session, { factors: 2 }, 60 * MINUTE)).toMatchObject({ reason: 'second-factor' });
  });

  it('counts beside a login of the last ten minutes by an older one', () => {
    expect(
      isStrong(
        proved(
          [
            [0, MAIL],
            [9, APP],
          ],
          additions(['totp-1']),
        ),
      ),
    ).toBe(true);
    expect(
      isStrong(
        proved(
          [
            [0, MAIL],
            [11, APP],
          ],
          additions(['totp-1']),
        ),
      ),
    ).toBe(false);
  });

  it('is made no older login by another addition', () => {
    const session = proved(
      [
        [0, MAIL],
        [9, PHONE],
        [18, APP],
      ],
      additions(['totp-1', 'phone-1']),
    );
    expect(missingProof(session, { factors: 2, maxAgeMinutes: 5 }, 18 * MINUTE)).toMatchObject({ reason: 'too-old' });
  });

  it('keeps what it was worth when it is proved again, and is not newer for it', () => {
    const session = proved(
      [
        [0, MAIL],
        [5, APP],
        [60, APP],
      ],
      additions(['totp-1']),
    );
    expect(isStrong(session)).toBe(true);
    expect(missingProof(session, { factors: 2, maxAgeMinutes: 10 }, 60 * MINUTE)).toMatchObject({ reason: 'too-old' });
  });

  it('is no login at all in a session that it began, unless the user has no older one', () => {
    expect(lastProof(proved([[0, APP]], additions([], ['totp-1'])))).toBeNull();
    expect(lastProof(proved([[7, APP]], additions([], ['totp-1'], false)))).toEqual(new Date(7 * MINUTE));
  });
});
