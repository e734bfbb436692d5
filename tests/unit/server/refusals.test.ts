import { describe, expect, it } from 'vitest';
import type { SignedIn } from '#application/server/authentication.ts';
import { privacyHeaders, refusalOf, type RefusedAuthentication } from '#application/server/refusal.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { safeReturnPath } from '#domain/consent/return-path.ts';
import { refusalResponse } from '#composition/server.ts';
import { keptPrivate } from '#composition/server-responses.ts';

const who = { status: 'signed-in', user_id: 'user-1' } as SignedIn;
const forbidden = (...roles: string[]): RefusedAuthentication => ({ status: 'forbidden', lacks: { roles }, who });
const read = async (found: RefusedAuthentication) => {
  const response = refusalResponse(found);
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.json() };
};

describe('the answer to a refused request', () => {
  it('names no error to whoever sent no credentials', async () => {
    expect(await read({ status: 'signed-out', reason: 'no-credentials' })).toEqual({
      status: 401,
      challenge: 'Bearer realm="portico"',
      body: {
        error: 'unauthenticated',
        reason: 'no-credentials',
        message: 'The request has neither a bearer token nor a session cookie.',
      },
    });
  });

  it('reports what is wrong with the credentials', async () => {
    expect(await read({ status: 'signed-out', reason: 'expired-jwt' })).toMatchObject({
      status: 401,
      challenge: 'Bearer realm="portico", error="invalid_token", error_description="The JWT has expired."',
      body: { reason: 'expired-jwt' },
    });
  });

  it('names the roles and the permission that a session lacks, and nothing of the session', async () => {
    expect(await read(forbidden('editor', 'admin'))).toEqual({
      status: 403,
      challenge:
        'Bearer realm="portico", error="insufficient_scope", error_description="The session lacks the roles: editor, admin"',
      body: { error: 'forbidden', lacks: { roles: ['editor', 'admin'] }, message: expect.any(String) },
    });
    const permission = { resource_id: 'documents', action: 'write' };
    expect(await read({ status: 'forbidden', lacks: { permission }, who })).toMatchObject({
      body: { lacks: { permission }, message: 'The session lacks the permission: write documents' },
    });
  });

  it('holds a header together, whatever the roles are called', async () => {
    const role = 'a", evil="1\r\nset-cookie: x=y\\ é';
    const { challenge, body } = await read(forbidden(role));
    expect(challenge).toBe(
      'Bearer realm="portico", error="insufficient_scope", error_description="The session lacks the roles: a?, evil=?1??set-cookie: x=y? ?"',
    );
    expect(body).toMatchObject({ lacks: { roles: [role] } });
  });

  it('does not sign out while the session is unknown, and sends Retry-After', () => {
    const error = new SDKAPIUnreachableError('network');
    const { status, headers, body } = refusalOf({ status: 'unavailable', needs: 'keys', error, retryAfterMs: 1_200 });
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '2', undefined]);
    expect(body).toEqual({ error: 'unavailable', needs: 'keys', message: 'The keys could not be read. Try again.' });
  });

  it('is kept by no cache', () => {
    const { headers } = refusalOf({ status: 'signed-out', reason: 'no-credentials' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'authorization, cookie' });
  });
});

describe('the answer to a request of a known user', () => {
  it('is kept out of shared caches, unless the app says otherwise', () => {
    const of = (headers: Record<string, string>) => privacyHeaders((name) => new Headers(headers).get(name));
    expect(of({})).toEqual({ vary: 'authorization, cookie', 'cache-control': 'private, no-cache' });
    expect(of({ vary: 'Accept, Cookie', 'cache-control': 'no-store' })).toEqual({
      vary: 'Accept, Cookie, authorization',
      'cache-control': 'no-store',
    });
    expect(of({ vary: '*' })['vary']).toBe('*');
  });

  it('is changed in no other way, also where its headers are immutable', async () => {
    const kept = keptPrivate(Response.redirect('https://app.example.com/next', 303));
    expect([kept.status, kept.headers.get('location')]).toEqual([303, 'https://app.example.com/next']);
    expect(kept.headers.get('cache-control')).toBe('private, no-cache');
    const headers = new Headers({ 'content-type': 'text/plain' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    const text = keptPrivate(new Response('hello', { status: 201, headers }));
    expect([text.status, await text.text(), text.headers.getSetCookie()]).toEqual([201, 'hello', ['a=1', 'b=2']]);
  });
});

describe('the path to come back to after a sign-in', () => {
  it.each(['/', '/account', '/a/b?c=d&e=%2F#f', '/search?q=https://evil.example'])('may be %s', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  it('is written in its normal form', () => {
    expect(safeReturnPath('/a/../b')).toBe('/b');
    expect(safeReturnPath('/a b\r\nset-cookie: x=y')).toBe('/a%20bset-cookie:%20x=y');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    ' /account',
    'account',
    '',
    `/${'a'.repeat(2_001)}`,
    undefined,
    null,
    ['/a', '/b'],
  ])('is the fallback for %j', (value) => {
    expect(safeReturnPath(value)).toBe('/');
    expect(safeReturnPath(value, '/home')).toBe('/home');
  });
});
