import { describe, expect, it } from 'vitest';
import { linkify, safeImageUrl, safeUrl } from '../../../src/domain/safe-url.ts';

describe('safeUrl', () => {
  it.each([
    'https://example.com/a?b#c',
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]:4100/',
    'http://a.localhost/',
  ])('lets %s through', (url) => expect(safeUrl(url)).toBe(url));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' \tjavascript:alert(1)',
    'data:text/html,x',
    'http://example.com/',
    'http://localhost.evil.example/',
    'https://user:pw@example.com/',
    'https://good.example@evil.example/',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    '//example.com',
    '/path',
    '',
  ])('refuses %o', (url) => expect(safeUrl(url)).toBeNull());

  it('lets raster images in data URLs through, and no SVG', () => {
    expect(safeImageUrl('data:image/png;base64,AAAA')).toBe('data:image/png;base64,AAAA');
    expect(safeImageUrl('data:image/svg+xml;base64,AAAA')).toBeNull();
    expect(safeImageUrl('data:image/png,<svg onload=x>')).toBeNull();
  });
});

describe('linkify', () => {
  const hrefs = (text: string) => linkify(text).flatMap(({ href }) => (href === null ? [] : [href]));

  it('links the documentation and leaves the rest text', () => {
    expect(linkify('See https://stytch.com/docs/api. Thanks')).toEqual([
      { text: 'See ', href: null },
      { text: 'https://stytch.com/docs/api', href: 'https://stytch.com/docs/api' },
      { text: '.', href: null },
      { text: ' Thanks', href: null },
    ]);
  });

  it.each([
    'http://stytch.com/',
    'https://stytch.com.evil.example/',
    'https://evil.example/stytch.com',
    'https://user@stytch.com/',
    'https://stytch.com@evil.example/',
    'https://stytch.com:8443/',
    'https://ѕtytch.com/',
    'javascript:https://stytch.com',
  ])('links nothing in %s', (text) =>
    expect(hrefs(text).filter((href) => !href.startsWith('https://stytch.com/'))).toEqual([]),
  );

  it('loses no character of a hostile text', () => {
    const text = `${'('.repeat(3000)}https://stytch.com/${'a'.repeat(5000)}${')'.repeat(3000)}`;
    expect(
      linkify(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
