import { describe, expect, it } from 'vitest';
import { oauth, otps, users } from '#application/api/index.ts';
import { readReply } from '#application/wire/read-reply.ts';
import type { AuthError } from '#domain/errors.ts';

const URL = 'https://api.example.com/sdk/v1/x';

const response = (
  status: number,
  text: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => ({
  status,
  text,
  headers,
});

function errorOf(status: number, text: string, headers?: Record<string, string>): AuthError {
  try {
    readReply(oauth.oneTapSubmit, response(status, text, headers), URL);
  } catch (error) {
    return error as AuthError;
  }
  throw new Error('It was taken for a reply.');
}

describe('a reply', () => {
  it('is the data of any status up to 299', () => {
    const data = { method_id: 'm-1', request_id: 'r', status_code: 200 };
    expect(readReply(otps.emailLoginOrCreate, response(299, JSON.stringify({ data })), URL)).toEqual(data);
  });

  it('is read with any content type if it is JSON', () => {
    expect(readReply(users.search, response(200, '{"data":{"userType":"new"}}', {}), URL)).toEqual({ userType: 'new' });
  });

  it.each(['{}', '[]', 'null', '7', '{"data":null}', '{"data":[]}', '{"data":{}}', '{"data":{"redirect_url":7}}'])(
    'without what the client reads of it is an invalid response: %s',
    (text) => {
      expect(errorOf(200, text)).toMatchObject({ message: 'Invalid response from our servers.', url: URL });
    },
  );

  it.each(['', '{', '<html>', '{"data":{"method_id":"m"}', 'NaN', "{'a':1}"])(
    'that is not the JSON it claims: %o',
    (text) => {
      expect(errorOf(200, text).message).toBe('Invalid JSON response from our servers.');
      expect(errorOf(200, text)).toMatchObject({ url: URL });
      expect(errorOf(500, text).message).toBe('Invalid JSON response from our servers.');
    },
  );

  it('that claims no JSON and is none is an invalid response', () => {
    expect(errorOf(502, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }).message).toBe(
      'Invalid response from our servers.',
    );
  });
});

describe('a refusal', () => {
  const FIELDS = {
    status_code: 404,
    error_type: 'otp_code_not_found',
    error_message: 'No.',
    error_url: 'https://x.example/',
  };

  it('keeps the fields of the wire', () => {
    const text = JSON.stringify({ ...FIELDS, request_id: 'r-1', error_details: { a: 1 } });
    expect(errorOf(404, text)).toMatchObject({ kind: 'api', ...FIELDS, request_id: 'r-1', error_details: { a: 1 } });
  });

  it('with body, params or query is a schema error that lists path and message', () => {
    const body = [{ dataPath: ['email'], message: 'must be a string' }];
    const params = [{ dataPath: ['id'], message: 'is unknown' }, 'odd', { dataPath: 'x' }];
    expect(errorOf(400, JSON.stringify({ body, params }))).toMatchObject({
      kind: 'schema',
      issues: [...body, params[0], { dataPath: [], message: '' }],
    });
  });

  it.each(['{}', '[]', 'null', '"x"', '{"error_type":7,"error_message":{}}'])(
    'without a type is an unknown error of the status it came with: %s',
    (text) => expect(errorOf(503, text)).toMatchObject({ kind: 'api', status_code: 503, error_type: 'unknown_error' }),
  );

  it('shows how long the server wants to be left alone', () => {
    const json = { 'content-type': 'application/json' };
    expect(errorOf(429, JSON.stringify(FIELDS), { ...json, 'retry-after': '30' })).toMatchObject({
      retryAfterMs: 30_000,
    });
    expect(errorOf(503, '<p>', { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
    const date = { date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 10:01:00 GMT' };
    expect(errorOf(429, JSON.stringify(FIELDS), { ...json, ...date })).toMatchObject({ retryAfterMs: 60_000 });
    expect(errorOf(429, JSON.stringify(FIELDS), { ...json, 'retry-after': 'soon' })).toMatchObject({
      retryAfterMs: null,
    });
  });
});
