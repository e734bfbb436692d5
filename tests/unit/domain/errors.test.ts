import { describe, expect, it } from 'vitest';
import {
  isAuthError,
  needsSecondFactor,
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  SDKUsageError,
} from '#domain/errors.ts';
import { errorText, toAuthError } from '#domain/thrown.ts';
import { endsSession } from '#domain/sessions/session.ts';

const FIELDS = {
  status_code: 404,
  error_type: 'otp_code_not_found',
  error_message: 'Not found.',
  error_url: 'https://example.com/e',
};

describe('errors', () => {
  it('say in an API error what, where to read on, and which request', () => {
    expect(new SDKAPIError({ ...FIELDS, request_id: 'r-1' }).message).toBe(
      '[404] otp_code_not_found\nNot found.\nSee https://example.com/e for more information.\nrequest_id: r-1\n',
    );
    expect(new SDKAPIError(FIELDS).message).toBe(
      '[404] otp_code_not_found\nNot found.\nSee https://example.com/e for more information.\n',
    );
    expect(toAuthError(new Error('Odd')).message).toBe('[400] unknown_error\nOdd\n');
  });

  it('list path and message of each field in a schema error', () => {
    const error = new SDKSchemaError([
      { dataPath: ['email'], message: 'must be a string' },
      { dataPath: ['options', 'locale'], message: 'is unknown' },
    ]);
    expect(error.message).toBe(
      '[400] Request does not match expected schema\nemail: must be a string\noptions.locale: is unknown\n',
    );
  });

  it('have the texts of section 8 when no usable answer came', () => {
    expect(new SDKAPIUnreachableError('network').message).toBe('Unable to contact our servers.');
    expect(new SDKAPIUnreachableError('invalid-json').message).toBe('Invalid JSON response from our servers.');
    expect(new SDKAPIUnreachableError('invalid-response').message).toBe('Invalid response from our servers.');
  });

  it('name method and field of a wrong call on two lines', () => {
    expect(new SDKUsageError('otps.authenticate', 'code must be a string').message).toBe(
      'Invalid call to otps.authenticate\ncode must be a string',
    );
  });

  it('are known by their brand, also from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('portico.error')]: true });
    expect(isAuthError(foreign)).toBe(true);
    expect(isAuthError(new Error('x'))).toBe(false);
    expect(isAuthError(null)).toBe(false);
  });

  it('turn the unknown into status 400 of type unknown_error, with its cause', () => {
    const thrown = new RangeError('odd');
    const error = toAuthError(thrown);
    expect(error).toMatchObject({ kind: 'api', status_code: 400, error_type: 'unknown_error', cause: thrown });
    expect(errorText(error)).toBe('odd');
    expect(toAuthError(error)).toBe(error);
  });

  it('distinguish a missing second factor from every other refusal, and end no session', () => {
    const refusal = (error_type: string) =>
      new SDKAPIError({ status_code: 403, error_type, error_message: 'no', error_url: '' });
    expect(needsSecondFactor(refusal('mfa_required'))).toBe(true);
    expect(endsSession(refusal('mfa_required'))).toBe(false);
    const others = [refusal('unauthorized_action'), new Error('mfa_required'), { error_type: 'mfa_required' }, null];
    expect(others.filter(needsSecondFactor)).toEqual([]);
  });
});
