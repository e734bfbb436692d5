import { describe, expect, it } from 'vitest';
import { shownError } from '#application/inspector/shown-error.ts';
import { redactedFields } from '#application/inspector/redacted-value.ts';
import { SDKAPIError, SDKAPIUnreachableError, SDKSchemaError, SDKUsageError } from '#domain/errors.ts';

const REQUEST_ID = 'request-id-test-0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9';

describe('the inspector’s view of an object', () => {
  it('is a safe value in full, and the shape of any other', () => {
    const shown = redactedFields({
      status_code: 200,
      request_id: REQUEST_ID,
      session_duration_minutes: 60,
      user_created: true,
      token: 'a'.repeat(43),
      method_id: 'email-test-1',
      wallets: ['metamask', 'phantom'],
      user: { user_id: 'u', name: {}, emails: [] },
      code: 482_913,
      message: null,
    });
    expect(shown).toEqual({
      status_code: 200,
      request_id: REQUEST_ID,
      session_duration_minutes: 60,
      user_created: true,
      token: 'string(43)',
      method_id: 'string(12)',
      wallets: 'list(2)',
      user: 'object{3}',
      code: 'number',
      message: null,
    });
  });

  it('is a masked address or number, and the shape of what is neither', () => {
    const mail = (email: unknown) => redactedFields({ email })['email'];
    expect(mail('ada.lovelace@example.com')).toBe('a…@e….com');
    expect(mail('me@ab.co')).toBe('…@….co');
    expect(mail('アダ＠例え.jp')).toBe('string(8)');
    expect(mail('ada@localhost')).toBe('a…@l…');
    expect(mail('my.p@ss.hunter')).toBe('m…@…');
    expect(mail('ada@example@com')).toBe('string(15)');
    expect(mail('1234567890')).toBe('string(10)');
    expect(mail({ ada: '@example.com' })).toBe('object{1}');
    expect(redactedFields({ phone_number: '+1 (415) 555-0142' })).toEqual({ phone_number: '…42' });
    expect(redactedFields({ phone_number: '12' })).toEqual({ phone_number: 'string(2)' });
  });

  it.each([
    ['status_code', 482_913],
    ['status_code', '200'],
    ['error_type', 'tok_3f9a'],
    ['request_id', 'my-own-secret'],
    ['session_duration_minutes', 48.2],
    ['expiration_minutes', 4_829_130],
    ['locale', 'secret'],
    ['reason', 'because of hunter2'],
    ['to', 'https://example.com/?token=1'],
    ['index', 482_913],
  ])('is the shape of a value that is not expected there: %s', (name, value) => {
    expect(redactedFields({ [name]: value })).toEqual({
      [name]: typeof value === 'string' ? `string(${value.length})` : 'number',
    });
  });

  it('does not tell the length of a password, nor names that are not of this product', () => {
    expect(redactedFields({ password: 'hunter2' })).toEqual({ password: 'string' });
    expect(redactedFields({ 'hunter2-as-a-name': 1, other: 'x', email: 'ada@example.com' })).toEqual({
      email: 'a…@e….com',
      '…': 'and 2 more',
    });
  });

  it('is nothing of an error but its kind, status, type and request id', () => {
    const fields = { error_message: 'hunter2 is wrong', error_url: 'https://x/hunter2', error_details: { hunter2: 1 } };
    const refused = { status_code: 404, error_type: 'otp_code_not_found', request_id: REQUEST_ID };
    expect(shownError(new SDKAPIError({ ...fields, ...refused }))).toEqual({
      kind: 'api',
      status: 404,
      error_type: 'otp_code_not_found',
      request_id: REQUEST_ID,
    });
    const others = [
      new SDKAPIError({ ...fields, status_code: 482_913, error_type: 'hunter2', request_id: 'hunter2' }),
      new SDKSchemaError([{ dataPath: ['hunter2'], message: 'hunter2' }]),
      new SDKUsageError('hunter2', 'hunter2'),
      new SDKAPIUnreachableError('network'),
    ].map(shownError);
    expect(JSON.stringify(others)).not.toMatch(/hunter2|482913/u);
    expect(others.map(({ error_type }) => error_type)).toEqual(['string(7)', 'schema_error', 'usage_error', 'network']);
  });
});
