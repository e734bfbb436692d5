import { describe, expect, it } from 'vitest';
import { FACTORS, PASSWORD_FACTOR, stamped, type NewFactor } from '#domain/rules/factors.ts';
import { endsWith, extendedGrant, factorIdsOf, grantAfter, PASSWORD_ID } from '#server-rules/provenance.ts';

const session = (...factors: readonly NewFactor[]) => ({
  authentication_factors: factors.map((factor) => stamped(factor, 0)),
});

describe('The login methods that a session stands on', () => {
  it.each<[string, NewFactor, readonly string[]]>([
    ['an address', FACTORS.passcode('email', { method_id: 'e', value: 'a@b.co' }), ['e']],
    ['a number', FACTORS.passcode('sms', { method_id: 'p', value: '+1' }), ['p']],
    ['an authenticator app', FACTORS.totp('t'), ['t']],
    ['a recovery code', FACTORS.recovery_codes('t', 'code'), ['t']],
    ['a passkey', FACTORS.webauthn({ webauthn_registration_id: 'w', domain: 'd', user_agent: '' }), ['w']],
    [
      'a wallet',
      FACTORS.wallet({ crypto_wallet_id: 'c', crypto_wallet_address: '0x', crypto_wallet_type: 'ethereum' }),
      ['c'],
    ],
    [
      'a social account that names an address, under both of its names',
      FACTORS.oauth({
        oauth_user_registration_id: 'o',
        provider_type: 'gitlab',
        provider_subject: 's',
        email_id: 'e',
      }),
      ['e', 'o'],
    ],
    ['a password', PASSWORD_FACTOR, [PASSWORD_ID]],
    ['no login method: a link of the app’s own server', FACTORS.embedded('x'), []],
    ['none: a trusted token', FACTORS.trustedToken('profile', 'token'), []],
    ['none: an app', FACTORS.exchanged('app'), []],
    ['none: an operator', FACTORS.impersonated({ impersonator_id: 'i', impersonator_email_address: '' }), []],
  ])('%s', (_, factor, ids) => {
    expect([...factorIdsOf(session(factor))].sort()).toEqual(ids);
  });
});

describe('A grant after sessions ended', () => {
  const ended = { keptSessionId: 'mine', session_ids: new Set(['theirs']), factor_ids: ['gone'] };
  const of = (session_id: string | null, ...factor_ids: readonly string[]) => ({ session_id, factor_ids });

  it('ends what was given in a session that ends, or by a login method that is gone, but not in the one that goes on', () => {
    expect(endsWith(ended, of('theirs'))).toBe(true);
    expect(endsWith(ended, of('over', 'gone'))).toBe(true);
    expect(endsWith(ended, of('mine', 'gone'))).toBe(false);
    expect(endsWith(ended, of('other', 'kept'))).toBe(false);
    expect(endsWith(ended, of(null))).toBe(false);
  });

  it('keeps the scopes that were given elsewhere, and those that an authorization still has', () => {
    const granted = extendedGrant(
      extendedGrant({ scopes: [], given_in: {} }, ['a', 'b'], of('theirs')),
      ['b', 'c'],
      of('mine'),
    );
    expect(granted.given_in).toEqual({ a: of('theirs'), b: of('theirs'), c: of('mine') });
    const alive = { ...of('mine'), scopes: ['b', 'c'] };
    const over = { ...of('theirs'), scopes: ['a', 'b'] };
    expect(grantAfter(granted, [alive, over], ended)).toEqual({
      scopes: ['b', 'c'],
      given_in: { b: of('mine'), c: of('mine') },
    });
    expect(grantAfter(granted, [over], ended).scopes).toEqual(['c']);
  });

  it('takes back scopes of which nothing is recorded only where an authorization that ends has them', () => {
    const old = { scopes: ['a', 'b'], given_in: {} };
    expect(grantAfter(old, [{ ...of('theirs'), scopes: ['a'] }], ended)).toEqual({ scopes: ['b'], given_in: {} });
    expect(grantAfter(old, [], ended).scopes).toEqual(['a', 'b']);
  });
});
