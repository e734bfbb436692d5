import { describe, expect, it } from 'vitest';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { CookieDocument } from './support/cookie-document.ts';

const HOST_ONLY = { path: '/', domain: null, secure: true } as const;

interface CookieSetup {
  readonly clock: VirtualClock;
  readonly document: CookieDocument;
  readonly cookies: DocumentCookies;
}

function open(href = 'https://www.example.com/login'): CookieSetup {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const document = new CookieDocument(new URL(href), () => clock.now());
  return { clock, document, cookies: new DocumentCookies(document, clock) };
}

describe('DocumentCookies', () => {
  it.each([
    [HOST_ONLY, null, 'c=v; Path=/; SameSite=Lax; Secure'],
    [{ ...HOST_ONLY, secure: false }, null, 'c=v; Path=/; SameSite=Lax'],
    [{ ...HOST_ONLY, domain: 'example.com' }, null, 'c=v; Path=/; SameSite=Lax; Domain=example.com; Secure'],
    [{ ...HOST_ONLY, path: '/app' }, null, 'c=v; Path=/app; SameSite=Lax; Secure'],
    [
      HOST_ONLY,
      Date.UTC(2026, 0, 1, 0, 30),
      'c=v; Path=/; SameSite=Lax; Secure; Expires=Thu, 01 Jan 2026 00:30:00 GMT',
    ],
  ])('writes the attributes of %o, expiring at %o', (scope, expiresAt, line) => {
    const { document, cookies } = open();
    cookies.set('c', 'v', scope, expiresAt);
    expect(document.writes).toEqual([line]);
  });

  it('removes with the attributes it set', () => {
    const { document, cookies } = open();
    const scope = { path: '/', domain: 'example.com', secure: true };
    cookies.set('c', 'v', scope, null);
    cookies.remove('c', scope);
    expect(document.writes[1]).toBe(
      'c=; Path=/; SameSite=Lax; Domain=example.com; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    );
    expect(document.cookie).toBe('');
  });

  it('adds no cookie and no attribute for any value', () => {
    const { document, cookies } = open();
    for (const value of ['a; Domain=example.com', 'a\r\nSet-Cookie: b=c', 'a; b=c', '\u0000', 'x;Path=/evil', '=']) {
      cookies.set('c', value, HOST_ONLY, null);
      expect(document.writes.at(-1)).toMatch(/^c=[^;=\s]*; Path=\/; SameSite=Lax; Secure$/u);
      expect(document.cookie.split(';').length).toBe(1);
      expect(cookies.get('c')).toBe(value);
    }
  });

  it('returns a foreign cookie with a damaged escape unchanged', () => {
    const { document, cookies } = open();
    for (const raw of ['%', '%zz', '%c3%28', '100%', 'a%']) {
      document.cookie = `c=${raw}`;
      expect(cookies.get('c')).toBe(raw);
    }
  });

  it('finds a cookie among others, also nameless and damaged ones', () => {
    const { document, cookies } = open();
    for (const line of ['=nameless', 'c', 'cc=1', 'xc=2', 'c=a=b', '__proto__=p']) document.cookie = line;
    expect(cookies.get('c')).toBe('a=b');
    expect(cookies.get('__proto__')).toBe('p');
    expect(cookies.get('toString')).toBeNull();
  });

  it.each([
    ['is too large', false, 'x'.repeat(5_000), HOST_ONLY],
    ['is of a foreign domain', false, 'v', { ...HOST_ONLY, domain: 'evil.example' }],
    ['is blocked', true, 'v', HOST_ONLY],
  ] as const)('keeps in memory a cookie that %s, until it is removed', (_, blocked, value, scope) => {
    const { document, cookies } = open();
    document.blocked = blocked;
    cookies.set('c', value, scope, null);
    expect(cookies.get('c')).toBe(value);
    cookies.remove('c', scope);
    expect(cookies.get('c')).toBeNull();
  });

  it('keeps a secure cookie of an insecure page in memory', () => {
    const { document, cookies } = open('http://intranet.example/');
    cookies.set('c', 'v', HOST_ONLY, null);
    expect([document.cookie, cookies.get('c')]).toEqual(['', 'v']);
  });

  it('answers its own value over an older one that it could not replace, until a newer one shows', () => {
    const { document, cookies } = open();
    cookies.set('c', 'old', HOST_ONLY, null);
    cookies.set('c', 'x'.repeat(5_000), HOST_ONLY, null);
    expect(cookies.get('c')?.length).toBe(5_000);
    document.cookie = 'c=newer; Path=/; Secure';
    expect(cookies.get('c')).toBe('newer');
  });

  it('lists every value of a name in the browser’s order, and one that the browser did not keep', () => {
    const { document, cookies } = open();
    cookies.set('c', 'of the host', HOST_ONLY, null);
    cookies.set('c', 'of the domain', { ...HOST_ONLY, domain: 'example.com' }, null);
    cookies.set('c', 'of the path', { ...HOST_ONLY, path: '/login' }, null);
    expect(cookies.all('c')).toEqual(['of the path', 'of the host', 'of the domain']);
    cookies.remove('c', HOST_ONLY);
    expect(cookies.all('c')).toEqual(['of the path', 'of the domain']);
    document.blocked = true;
    cookies.set('c', 'in memory', HOST_ONLY, null);
    expect(cookies.all('c')).toEqual(['in memory']);
  });

  it('does not throw in a frame where document.cookie does', () => {
    const refuse = (): never => {
      throw new DOMException('sandboxed', 'SecurityError');
    };
    const document = Object.defineProperty({ cookie: '' }, 'cookie', { get: refuse, set: refuse });
    const cookies = new DocumentCookies(document, new VirtualClock());
    expect(cookies.get('c')).toBeNull();
    cookies.set('c', 'v', HOST_ONLY, null);
    expect(cookies.get('c')).toBe('v');
    cookies.remove('c', HOST_ONLY);
    expect(cookies.get('c')).toBeNull();
  });
});
