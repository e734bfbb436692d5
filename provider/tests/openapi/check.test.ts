import { beforeEach, describe, expect, it } from 'vitest';
import { providerCheck } from '#tests/openapi/checked.ts';
import type { Exchange } from '#tests/openapi/description-check.ts';

const USER = { status_code: 200, request_id: 'r', user_id: 'user-1' };

const exchange = (fields: Partial<Exchange> & { readonly reply?: object; readonly path?: string }): Exchange => ({
  method: 'DELETE',
  url: new URL(fields.path ?? '/v1/users/user-1', 'http://localhost'),
  requestBody: '',
  requestType: 'application/json',
  status: 200,
  contentType: 'application/json',
  responseBody: JSON.stringify(fields.reply ?? USER),
  ...fields,
});

const refusal = (status_code: number, error_type: string) => ({
  status: status_code,
  reply: { status_code, request_id: 'r', error_type, error_message: 'No.', error_url: 'http://localhost/errors/x' },
});

describe('the comparison of a request and its response with the description', () => {
  const check = providerCheck();
  beforeEach(() => void check.takeMismatches());
  const mismatches = (fields: Parameters<typeof exchange>[0]): readonly string[] => {
    check.check(exchange(fields));
    return check.takeMismatches();
  };

  it('accepts what is described', () => {
    expect(mismatches({})).toEqual([]);
    expect(mismatches(refusal(404, 'user_not_found'))).toEqual([]);
    expect(mismatches({ path: '/v1/nothing', ...refusal(404, 'route_not_found') })).toEqual([]);
  });

  it.each<[string, Parameters<typeof exchange>[0], RegExp]>([
    ['a path', { path: '/v1/nothing' }, /is not described/u],
    ['a method', { method: 'POST' }, /is not described/u],
    ['a field of the response', { reply: { ...USER, secret: 'x' } }, /additional properties/u],
    ['the type of a field', { reply: { ...USER, user_id: 1 } }, /must be string/u],
    ['a missing field', { reply: { status_code: 200, request_id: 'r' } }, /required property 'user_id'/u],
    ['a status', { ...refusal(418, 'user_not_found') }, /status 418 is not described/u],
    ['an error type', refusal(404, 'nothing_found'), /response 404/u],
    ['the status of an error type', refusal(403, 'user_not_found'), /response 403/u],
    ['a content type', { contentType: 'text/html' }, /text\/html is not described/u],
    ['a query parameter', { path: '/v1/users/user-1?force=1' }, /query parameter force/u],
    ['a body', { requestBody: '{"force":true}' }, /has a body/u],
  ])('reports %s that is not', (_, fields, message) => {
    expect(mismatches(fields).join()).toMatch(message);
  });

  it('accepts the parameters of a social start that are for the provider, and reports others', () => {
    const start = (query: string) => ({
      method: 'GET',
      path: `/v1/public/oauth/google/start?public_token=x${query}`,
      status: 303,
      contentType: '',
      responseBody: '',
    });
    expect(mismatches(start('&provider_login_hint=x'))).toEqual([]);
    expect(mismatches(start('&login_hint=x')).join()).toMatch(/query parameter login_hint/u);
  });

  it('reports a well-known file that is not described', () => {
    expect(mismatches({ method: 'GET', path: '/.well-known/nothing' }).join()).toMatch(/is not described/u);
  });

  it('reports a field of an accepted request that is not described, and none of a refused one', () => {
    const call = { method: 'POST', path: '/v1/sessions/revoke', requestBody: '{"session":"x"}' };
    const reply = { status_code: 200, request_id: 'r' };
    expect(mismatches({ ...call, reply }).join()).toMatch(/request: .*additional properties/u);
    expect(mismatches({ ...call, ...refusal(400, 'bad_request') })).toEqual([]);
  });
});
