import { describe, expect, it } from 'vitest';
import { endsSession, parseState, sameState, SIGNED_OUT, type SessionState } from '#domain/sessions/session.ts';

const STATE = {
  session: { session_id: 's-1', expires_at: '2030-01-01T00:00:00Z', last_accessed_at: '2026-01-01T00:00:00Z' },
  user: { user_id: 'u-1', name: {} },
} as unknown as SessionState;

describe('the stored state', () => {
  it('is read back as it was written', () => {
    expect(parseState(JSON.stringify(STATE))).toEqual(STATE);
  });

  it('is signed out when there is none', () => {
    expect(parseState(null)).toBe(SIGNED_OUT);
  });

  it.each([
    '',
    'x',
    'null',
    '[]',
    '7',
    '{}',
    '{"session":null,"user":null}',
    '{"session":{"session_id":"s"},"user":{"user_id":"u"}}',
    '{"session":{"session_id":"s","expires_at":"soon"},"user":{"user_id":"u"}}',
    '{"session":{"session_id":"","expires_at":"2030-01-01T00:00:00Z"},"user":{"user_id":"u"}}',
    '{"session":{"session_id":"s","expires_at":"2030-01-01T00:00:00Z"},"user":{"user_id":7}}',
    '{"__proto__":{"session":{}}}',
  ])('is damaged: %s', (text) => {
    expect(parseState(text)).toBeNull();
  });

  it('is the same when only last_accessed_at differs', () => {
    const later = { ...STATE, session: { ...STATE.session, last_accessed_at: '2027-01-01T00:00:00Z' } } as SessionState;
    const longer = { ...STATE, session: { ...STATE.session, expires_at: '2031-01-01T00:00:00Z' } } as SessionState;
    expect(sameState(STATE, later)).toBe(true);
    expect(sameState(STATE, longer)).toBe(false);
    expect(sameState(STATE, SIGNED_OUT)).toBe(false);
  });
});

describe('errors that end a session', () => {
  it.each(['unauthorized_credentials', 'user_unauthenticated', 'invalid_secret_authentication', 'session_not_found'])(
    '%s does',
    (error_type) => expect(endsSession({ error_type })).toBe(true),
  );

  it.each(['too_many_requests', 'internal_server_error', 'invalid_session_token', '', undefined, 7])(
    '%s does not',
    (error_type) => expect(endsSession({ error_type })).toBe(false),
  );

  it('no network does not', () => expect(endsSession(new TypeError('Failed to fetch'))).toBe(false));
});
