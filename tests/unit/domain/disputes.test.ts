import { describe, expect, it } from 'vitest';
import { disputesIn, speaksFor, speaksForAll, type DatedMethod } from '#server-rules/disputes.ts';
import { FACTORS, PASSWORD_FACTOR, stamped } from '#domain/rules/factors.ts';

const DAY = 24 * 60 * 60_000;
const NOW = 100 * DAY;
const MINUTE = 60_000;
const method = (id: string, age: number, { isDisputed = false, isOldest = false } = {}): DatedMethod => ({
  id,
  created_at: NOW - age,
  isDisputed,
  isOldest,
});
const passkey = method('passkey', DAY, { isDisputed: true });
const mail = (method_id: string, age = 0) =>
  stamped(FACTORS.magicLink({ method_id, value: 'a@example.com' }), NOW - age);
const key = stamped(FACTORS.webauthn({ webauthn_registration_id: 'passkey', domain: 'a', user_agent: '' }), NOW);
const methods = [method('first', 3 * DAY, { isOldest: true }), method('second', 2 * DAY), passkey];
const speaks = (factors: readonly ReturnType<typeof mail>[], of = methods): boolean =>
  speaksFor({ authentication_factors: factors }, passkey, of, NOW);

describe('a disputed method', () => {
  it('stays by a proof of the oldest method, and of no other one of the same week', () => {
    expect(speaks([mail('first'), key])).toBe(true);
    expect(speaks([mail('second'), key])).toBe(false);
    expect(speaks([mail('second')], methods.slice(1))).toBe(false);
    expect(speaks([mail('second')], [method('first', 30 * DAY), method('second', 8 * DAY), passkey])).toBe(true);
  });

  it('speaks neither for itself nor for another one that is disputed', () => {
    expect(speaks([key])).toBe(false);
    expect(speaks([key], [passkey])).toBe(false);
    const app = method('app', 60 * DAY, { isDisputed: true, isOldest: true });
    expect(speaks([stamped(FACTORS.totp('app'), NOW), key], [app, ...methods])).toBe(false);
  });

  it('needs a proof of the last ten minutes, which neither a trusted browser nor a method that came later is', () => {
    expect(speaks([mail('first', 11 * MINUTE), key])).toBe(false);
    expect(speaks([stamped({ type: 'trusted_device', delivery_method: 'x' }, NOW)])).toBe(false);
    expect(speaks([stamped(PASSWORD_FACTOR, NOW)], [...methods, method('password', 0)])).toBe(false);
    expect(speaks([{ ...mail('first'), recently_added: true }])).toBe(false);
  });

  it('is stopped in a session that speaks for all that is disputed', () => {
    const app = method('app', 4 * DAY, { isDisputed: true });
    const all = [method('first', 30 * DAY), method('second', 9 * DAY), passkey, app];
    const inSession = (id: string): boolean => speaksForAll({ authentication_factors: [mail(id, DAY)] }, all);
    expect([inSession('first'), inSession('second'), inSession('app')]).toEqual([true, false, false]);
  });

  it('is one of the session that its factors name', () => {
    expect(disputesIn({ authentication_factors: [mail('first'), key] }, methods)).toEqual([passkey]);
    expect(disputesIn({ authentication_factors: [mail('first')] }, methods)).toEqual([]);
  });
});
