import { describe, expect, it } from 'vitest';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import { ceremonyText, creationError, passkeyError, passkeyFailure } from '#domain/passkeys/passkey.ts';
import { reasonOf } from '#domain/screens/refusals.ts';

const api = (error_type: string) =>
  new SDKAPIError({ status_code: 404, error_type, error_message: 'no', error_url: '' });

describe('the result of a passkey ceremony', () => {
  const named = {
    NotAllowedError: 'cancelled',
    AbortError: 'cancelled',
    InvalidStateError: 'alreadyRegistered',
    TimeoutError: 'timedOut',
    SecurityError: 'notAllowed',
    NotSupportedError: 'unsupported',
    ConstraintError: 'unsupported',
    OperationError: 'unknown',
    toString: 'unknown',
  };
  for (const [name, failure] of Object.entries(named)) {
    it(`is ${failure} for a ${name}, whoever made it`, () => {
      expect(passkeyFailure(new DOMException('said so', name))).toBe(failure);
      expect(passkeyFailure({ name })).toBe(failure);
    });
  }

  it('is notFound for a passkey that the server does not know', () => {
    expect(passkeyFailure(api('webauthn_registration_not_found'))).toBe('notFound');
    expect(passkeyFailure(api('user_lock_limit_reached'))).toBe('unknown');
  });

  it('is unknown for anything else, and never throws', () => {
    for (const thrown of [null, undefined, 'NotAllowedError', 7, [], new Error('x'), { name: { a: 1 } }]) {
      expect(passkeyFailure(thrown)).toBe('unknown');
    }
  });
});

describe('the error of a ceremony', () => {
  it('is the server’s or the network’s own', () => {
    for (const error of [api('user_lock_limit_reached'), new SDKAPIUnreachableError('network')]) {
      expect(passkeyError(error, 'passkey_login_failed')).toBe(error);
    }
  });

  it('is the server’s own for an unknown type, too; the screen has the text of the ceremony', () => {
    const refused = () => api('teapot');
    const [login, made, signedUp] = [refused(), refused(), refused()];
    expect(passkeyError(login, 'passkey_login_failed')).toBe(login);
    expect(creationError(made, 'registration')).toBe(made);
    expect(creationError(signedUp, 'elsewhere')).toBe(signedUp);
    expect([login, made, signedUp].map(ceremonyText)).toEqual([
      ['passkey_login_failed', ''],
      ['passkey_not_created', ''],
      ['passkey_not_created', 'elsewhere'],
    ]);
    expect(ceremonyText(passkeyError(api('too_many_requests'), 'passkey_login_failed'))).toBeUndefined();
  });

  it('of a creation names the screen’s own buttons only where they are', () => {
    const thrown = new DOMException('no', 'NotAllowedError');
    expect(creationError(thrown, 'registration')).toMatchObject({ error_type: 'passkey_not_created', cause: thrown });
    expect(reasonOf(creationError(thrown, 'registration'))).toBe('');
    expect(reasonOf(creationError(thrown, 'elsewhere'))).toBe('elsewhere');
  });

  it('is one that the catalogue has words for, with the browser’s as its cause', () => {
    const thrown = new DOMException('odd', 'OperationError');
    const error = passkeyError(thrown, 'passkey_login_failed');
    expect([error.kind, error.kind === 'api' && error.error_type, error.cause]).toEqual([
      'api',
      'passkey_login_failed',
      thrown,
    ]);
  });
});
