import { describe, expect, it } from 'vitest';
import { signedHeaders } from '#provider/base/http/signed-request.ts';
import { SDKUsageError, verifyHook } from '#composition/server.ts';

const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const secret = `whsec_${KEY.toString('base64')}`;
const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const body = JSON.stringify({ id: 'hook-1', type: 'hook.login', data: {} });
const headersOf = (keys: readonly Buffer[] = [KEY], id = 'hook-1', at = NOW, text = body) =>
  signedHeaders(keys, { id, at, body: text });
const check = (headers: Record<string, string>, text = body) => verifyHook(text, headers, { secret, now: NOW });

describe('verifyHook', () => {
  it('returns a request that the secret signed, also with headers of the web, and beside another signature', async () => {
    const request = JSON.parse(body) as object;
    expect(await check(headersOf())).toEqual(request);
    expect(await verifyHook(body, new Headers(headersOf()), { secret, now: NOW })).toEqual(request);
    expect(await check(headersOf([OTHER, KEY]))).toEqual(request);
  });

  it.each([
    ['another secret', headersOf([OTHER]), body],
    ['another body', headersOf(), body.replace('login', 'sign_up')],
    ['another id', { ...headersOf(), 'webhook-id': 'hook-2' }, body],
    ['an id that the body lacks', headersOf([KEY], 'hook-2'), body],
    ['another time', { ...headersOf(), 'webhook-timestamp': String(NOW / 1000 - 1) }, body],
    ['an old request', headersOf([KEY], 'hook-1', NOW - 6 * MINUTE), body],
    ['one of the future', headersOf([KEY], 'hook-1', NOW + 6 * MINUTE), body],
    ['no time', { ...headersOf(), 'webhook-timestamp': '' }, body],
    ['a time that is no number', { ...headersOf(), 'webhook-timestamp': 'NaN' }, body],
    ['no headers', {}, body],
    ['a signature that is no base64', { ...headersOf(), 'webhook-signature': 'v1,!!!!' }, body],
    [
      'another version',
      { ...headersOf(), 'webhook-signature': String(headersOf()['webhook-signature']).replace('v1,', 'v2,') },
      body,
    ],
    ['a body that is no JSON', headersOf([KEY], 'hook-1', NOW, '{'), '{'],
  ])('returns null for %s', async (_, headers, text) => {
    expect(await check(headers, text)).toBeNull();
  });

  it.each(['', 'whsec_', 'secret', 'whsec_!', 'whsec_A'])(
    'throws for the secret %j, which it does not repeat',
    async (wrong) => {
      await expect(verifyHook(body, headersOf(), { secret: wrong })).rejects.toThrow(SDKUsageError);
    },
  );

  it('throws for a body that was parsed', async () => {
    await expect(verifyHook(JSON.parse(body), headersOf(), { secret })).rejects.toThrow('body must be the text');
  });
});
