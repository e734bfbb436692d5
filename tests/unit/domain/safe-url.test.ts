import { describe, expect, it } from 'vitest';
import { linkify } from '../../../src/domain/linkify.ts';
import { safeImageUrl, safeUrl } from '../../../src/domain/safe-url.ts';

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
    ['https://docs.stytch.com/errors#x', 'https://docs.stytch.com/errors#x'],
    ['(https://stytch.com/docs)', 'https://stytch.com/docs'],
    ['[docs](https://stytch.com/docs)', 'https://stytch.com/docs'],
    ['https://www.stytch.com?!', 'https://www.stytch.com/'],
    ['“https://stytch.com”', null],
    ['<a href="https://stytch.com/a">b</a>', 'https://stytch.com/a'],
    ['https://stytch.com/a<b>', 'https://stytch.com/a'],
    ['https://stytch.com/\u202Egnp.exe', 'https://stytch.com/'],
    ['https://stytch.com/\u2066x\u2069', 'https://stytch.com/'],
  ])('finds the address in %j', (text, href) => expect(hrefs(text)).toEqual(href === null ? [] : [href]));

  it.each([
    'http://stytch.com/',
    'HTTPS://stytch.com/',
    'https://stytch.com.evil.example/',
    'https://stytch.com.',
    'https://evil.example/stytch.com',
    'https://evil.example?https://stytch.com@',
    'https://evil.example#https://stytch.com',
    'https://evil.example/\\@stytch.com',
    'https://user@stytch.com/',
    'https://user:pass@stytch.com/',
    'https://stytch.com@evil.example/',
    'https://stytch.com%40evil.example/',
    'https://stytch.com\\@evil.example/',
    'https://stytch.com:8443/',
    'https://stytch.com:443/',
    'https://ѕtytch.com/',
    'https://ｓtytch.com/',
    'https://stytch。com/',
    'https://xn--tytch-cve.com/',
    'https://stytch.co\u200Bm/',
    'https://\u202Emoc.hctyts/',
    'javascript:https://stytch.com',
    'javascript:alert(1)//stytch.com',
    'data:text/html,<a href=//stytch.com>',
    'vbscript://stytch.com',
    '//stytch.com/',
    'stytch.com',
    'ftp://stytch.com/',
    'https:stytch.com',
    'https://',
  ])('makes no link to anything but ours of %j', (text) =>
    expect(hrefs(text).filter((href) => !/^https:\/\/stytch\.com\/?$/u.test(href))).toEqual([]),
  );

  it.each(['https://user@stytch.com/', 'https://stytch.com:8443/', 'https://ｓtytch.com/', 'https://ѕtytch.com/'])(
    'makes no link at all of %j',
    (text) => expect(hrefs(text)).toEqual([]),
  );

  it.each([
    ['brackets', `${'('.repeat(3000)}https://stytch.com/${'a'.repeat(5000)}${')'.repeat(3000)}`],
    ['one long word', 'x'.repeat(5_120)],
    ['marks', `https://stytch.com/${'.'.repeat(50_000)}a`],
    ['many addresses', 'https://stytch.com/ '.repeat(5_000)],
    ['markup', '<img src=x onerror="alert(1)">'.repeat(500)],
    ['turned text', '\u202E\u2066'.repeat(5_000)],
  ])('loses no character of a hostile text, and takes no time: %s', (_, text) => {
    const before = performance.now();
    const pieces = linkify(text);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  });
});
