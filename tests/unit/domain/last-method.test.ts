import { describe, expect, it } from 'vitest';
import { lastMethodOf } from '#domain/sessions/last-method.ts';
import type { AuthenticationFactor, Session } from '#domain/sessions/session.ts';

const factor = (delivery_method: string, minute = 0): AuthenticationFactor => ({
  type: 'any',
  delivery_method,
  last_authenticated_at: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString(),
});
const session = (...authentication_factors: readonly AuthenticationFactor[]): Session =>
  ({ session_id: 's', authentication_factors }) as unknown as Session;

describe('the way of the last login', () => {
  it('is the one of the latest proof', () => {
    expect(lastMethodOf(session(factor('email', 1), factor('oauth_google', 5), factor('sms', 3)))).toBe('oauth:google');
  });

  it('has a name for every way that Main has', () => {
    const ways = ['email', 'knowledge', 'sms', 'whatsapp', 'webauthn_registration', 'crypto_wallet', 'oauth_github'];
    expect(ways.map((way) => lastMethodOf(session(factor(way))))).toEqual([
      'email',
      'email',
      'sms',
      'whatsapp',
      'passkey',
      'wallet',
      'oauth:github',
    ]);
  });

  it('is null for other ways, and for a server that tells of none', () => {
    expect(lastMethodOf(session(factor('authenticator_app')))).toBeNull();
    expect(lastMethodOf(session(factor('oauth_myspace')))).toBeNull();
    expect(lastMethodOf(session())).toBeNull();
    expect(lastMethodOf({ session_id: 's' } as unknown as Session)).toBeNull();
  });
});
