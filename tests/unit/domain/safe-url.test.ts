import { describe, expect, it } from 'vitest';
import { linkify } from '#presentation/parts/login/linkify.ts';
import { isPrivateUseUri, safeImageUrl, safeUrl } from '#domain/safe-url.ts';

describe('safeUrl', () => {
  it.each([
    'https://example.com/a?b#c',
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]:4100/',
    'http://a.localhost/',
    'https://example.com:8443/a%20b?c=%2e#%5C',
    'https://a_b.example/',
    'https://xn--mnchen-3ya.example/',
    'https://192.0.2.1/',
    'https://[2001:db8::1]/',
    `https://${'a'.repeat(63)}.example/`,
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

  it.each([
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['https://example.com?a=b c', 'https://example.com/?a=b%20c'],
    ['https://example.com#a', 'https://example.com/#a'],
    ['https://example.com:443/', 'https://example.com/'],
  ])('gives %s its normal form', (url, normal) => expect(safeUrl(url)).toBe(normal));

  it.each([
    ['a space in the host', 'https://exa mple.org'],
    ['a space behind the host', 'https://example.org /'],
    ['a space before the host', 'https:// example.org/'],
    ['a space before the port', 'https://example.org :443/'],
    ['an encoded space', 'https://exa%20mple.org'],
    ['an encoded dot', 'https://example%2eorg/'],
    ['an encoded slash', 'https://example.org%2f.evil.example/'],
    ['an encoded letter', 'https://ex%61mple.org/'],
    ['an encoded null', 'https://example.org%00.evil.example/'],
    ['a broken escape', 'https://example%.org/'],
    ['an open bracket', 'https://[::1'],
    ['a closing bracket', 'https://::1]/'],
    ['IPv6 without brackets', 'https://::1/'],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
    ['IPv6 that is none', 'https://[1::2::3]/'],
    ['a future address', 'https://[v1.a]/'],
    ['two dots', 'https://a..b'],
    ['a leading dot', 'https://.example.org/'],
    ['a trailing dot', 'https://example.org./'],
    ['a dot alone', 'https://./'],
    ['a leading hyphen', 'https://-example.org/'],
    ['a trailing hyphen', 'https://example-.org/'],
    ['a label too long', `https://${'a'.repeat(64)}.example/`],
    ['no host', 'https://'],
    ['no host but a path', 'https:///example.org/'],
    ['no host but a port', 'https://:443/'],
    ['no port behind the colon', 'https://example.org:/'],
    ['a port too high', 'https://example.org:65536/'],
    ['a port that is none', 'https://example.org:8a/'],
    ['a user', 'https://user@example.org/'],
    ['an empty user', 'https://@example.org/'],
    ['an empty user and password', 'https://:@example.org/'],
    ['a user with a slash', 'https://good.example\\@evil.example/'],
    ['no slashes', 'https:example.org'],
    ['one slash', 'https:/example.org'],
    ['backslashes', 'https:\\\\example.org'],
    ['mixed slashes', 'https:/\\example.org'],
    ['a backslash behind the host', 'https://example.org\\.evil.example/'],
    ['a tab in the scheme', 'ht\ttps://example.org/'],
    ['a tab in the host', 'https://exa\tmple.org/'],
    ['a line break in the host', 'https://exa\nmple.org/'],
    ['a carriage return in the slashes', 'https:/\r/example.org/'],
    ['a line break in the path', 'https://example.org/a\nb'],
    ['a leading line break', '\nhttps://example.org/'],
    ['a leading null', '\0https://example.org/'],
    ['a trailing control character', 'https://example.org/\u001F'],
    ['C1 control characters', 'https://exa\u0080mple.org/'],
    ['a number in hexadecimal', 'https://0x7f.0.0.1/'],
    ['a number in octal', 'https://0177.0.0.1/'],
    ['one number', 'https://2130706433/'],
    ['a short number', 'https://127.1/'],
    ['a number too large', 'https://256.0.0.1/'],
    ['full-width letters', 'https://ｅxample.org/'],
    ['an ideographic full stop', 'https://example。org/'],
    ['a soft hyphen', 'https://exa\u00ADmple.org/'],
    ['a zero-width space', 'https://exa\u200Bmple.org/'],
    ['a turn of direction', 'https://\u202Egro.elpmaxe/'],
    ['a Kelvin sign', 'https://\u212Aelvin.example/'],
    ['a long s', 'https://\u017Fite.example/'],
    ['letters beyond ASCII', 'https://münchen.example/'],
    ['a lone surrogate', 'https://exa\uD800mple.org/'],
    ...Array.from('!"$&\'()*+,;<=>^`{|}~', (mark) => [`${mark} in the host`, `https://exa${mark}mple.org/`]),
  ])('refuses %s', (_, url = '') => {
    expect(safeUrl(url)).toBeNull();
    expect(safeImageUrl(url)).toBeNull();
  });

  it('comes to an end with a long text', () => {
    for (const part of ['a', 'a.', 'a-', 'a_', '[', ':', '-']) {
      expect(safeUrl(`https://${part.repeat(50_000)} `)).toBeNull();
    }
  });

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
  ])('loses no character of a hostile text: %s', (_, text) => {
    const pieces = linkify(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  });
});

describe('a native app’s own scheme', () => {
  it.each([
    'com.example.app:/callback',
    'com.example.app:/',
    'com.example.app://callback',
    'com.example.app:///callback',
    'com.example.app://auth.example:80/callback?a=b',
    'com.example.app:/callback?code=a%20b&state=c',
    'COM.example.app-2:/a',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])('is the one of %s', (uri) => expect(isPrivateUseUri(uri)).toBe(true));

  it.each([
    'javascript:alert(1)',
    'javascript:/alert(1)',
    'JavaScript://%0aalert(1)',
    'java\tscript.x:/alert(1)',
    'data:/text/html,x',
    'vbscript:/x',
    'file:/etc/passwd',
    'file:///etc/passwd',
    'blob:/x',
    'intent:/x',
    'about:/blank',
    'https://example.com/',
    'http:/example.com/',
    'myapp:/callback',
    'cursors://host/callback',
    'cursor:callback',
    'cursor://user@host/callback',
    '.com:/callback',
    'com.:/callback',
    'com.example.app:callback',
    'com.example.app://user@host/',
    'com.example.app://user:pw@host/',
    'com.example.app:/a b',
    'com.example.app:/a\\b',
    'com.example.app:/a\n',
    ' com.example.app:/a',
    'com.example.app:/<script>',
    '',
  ])('is none of %o', (uri) => expect(isPrivateUseUri(uri)).toBe(false));
});

describe('an image of the page’s own origin', () => {
  const base = 'http://shop.example/login?x#y';
  it.each([
    ['/logo.svg', 'http://shop.example/logo.svg'],
    ['logo.png?v=2', 'http://shop.example/logo.png?v=2'],
    ['../a%20b.png', 'http://shop.example/a%20b.png'],
    ['./a/logo', 'http://shop.example/a/logo'],
  ])('may be %s', (url, absolute) => {
    expect(safeImageUrl(url, base)).toBe(absolute);
    expect(safeImageUrl(url)).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:image/svg+xml,x',
    'blob:http://shop.example/x',
    'http://shop.example/a.png',
    '//evil.example/a.png',
    '\\\\evil.example/a.png',
    '/\\evil.example/a.png',
    'only words',
    '/<img src=x>',
    '',
  ])('is not %o', (url) => expect(safeImageUrl(url, base)).toBeNull());

  it('is none of a page that is a file', () => expect(safeImageUrl('logo.png', 'file:///a/b.html')).toBeNull());
});
