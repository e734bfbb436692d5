import { describe, expect, it } from 'vitest';
import { detailWords, methodWords } from '#provider/operation/operators/desk/words.ts';

describe("the words of the operators' page", () => {
  it.each([
    ['otp:email', 'code by email'],
    ['otp:whatsapp', 'code by WhatsApp'],
    ['magic_link:email', 'link by email'],
    ['oauth:google', 'social login by google'],
    ['webauthn', 'passkey'],
    ['some_new_type', 'some new type'],
  ])('calls the method %s %s', (method, words) => {
    expect(methodWords(method)).toBe(words);
  });

  it('writes details without JSON, where no text can be taken for another detail', () => {
    expect(detailWords({ client_id: 'planner', scopes: ['openid', 'email'] })).toBe(
      'client id: planner, scopes: openid email',
    );
    for (const value of ['x, role: admin', ['x, role: admin'], ['a b', 'c'], [], [1], null, { role: 'admin' }])
      expect(detailWords({ value })).toBe(`value: ${JSON.stringify(value)}`);
  });
});
