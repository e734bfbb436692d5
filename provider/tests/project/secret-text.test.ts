import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretTextFrom } from '#provider/project/readers/secret-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-secret-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const read = secretTextFrom({ GOOGLE_SECRET: 'from-env', EMPTY: '', QUOTED: `"canary"`, SINGLE: ` 'canary' ` });

describe('a secret of the project file', () => {
  it('is a text, the content of a variable, or the content of a file', () => {
    expect(read('plain', 'a.b')).toBe('plain');
    expect(read({ env: 'GOOGLE_SECRET' }, 'a.b')).toBe('from-env');
    expect(read({ file: file('one', 'from-file\n') }, 'a.b')).toBe('from-file');
    expect(read({ file: file('two', 'two\r\nlines') }, 'a.b')).toBe('two\r\nlines');
  });

  it('is read without what comes along when people paste: blanks, line breaks and a byte order mark', () => {
    for (const around of ['  ', '\n', '\r\n\t', '\u00A0', '\uFEFF']) {
      const pasted = `${around}pasted${around}`;
      expect(read(pasted, 'a.b')).toBe('pasted');
      expect(secretTextFrom({ PASTED: pasted })({ env: 'PASTED' }, 'a.b')).toBe('pasted');
      expect(read({ file: file('pasted', pasted) }, 'a.b')).toBe('pasted');
    }
  });

  it.each([
    ['an empty text', '', 'a text that is not empty'],
    ['a number', 5, 'a text, { "env": "NAME" } or { "file": "/path" }'],
    ['both sources', { env: 'CANARY', file: '/canary' }, 'a text, { "env": "NAME" }'],
    ['no source', {}, 'a text, { "env": "NAME" }'],
    ['a variable in quotes', { env: 'QUOTED' }, 'in the environment variable QUOTED without quotes around it'],
    ['a variable in single quotes', { env: 'SINGLE' }, 'in the environment variable SINGLE without quotes around it'],
    ['a missing variable', { env: 'NOT_SET' }, 'NOT_SET, which is not set'],
    ['an empty variable', { env: 'EMPTY' }, 'EMPTY, which is not set'],
    ['a name from the prototype of objects', { env: 'toString' }, 'toString, which is not set'],
    ['a missing file', { file: join(folder, 'none') }, 'it cannot be read (ENOENT)'],
    ['a folder', { file: folder }, 'it cannot be read (EISDIR)'],
    ['a file that is too long', { file: file('long', 'canary'.repeat(20_000)) }, 'it is longer than 64 kB'],
    ['a device without an end', { file: '/dev/zero' }, 'it is longer than 64 kB'],
    ['an empty file', { file: file('empty', '\n') }, 'it is empty'],
    ['blanks', ' \uFEFF\n', 'a text that is not empty'],
    [
      'a file in UTF-16',
      { file: file('utf-16', Buffer.from('\uFEFFcanary', 'utf16le')) },
      'it is UTF-16: save it as UTF-8',
    ],
    ['a path with a zero byte', { file: '/a\0canary' }, 'the path of a file'],
  ])('is refused as %s', (_, value, reason) => {
    const attempt = (): string => read(value, 'social.google.secret');
    expect(attempt).toThrow(/^in the project file, social\.google\.secret(?:\.\w+)? must be /u);
    expect(attempt).toThrow(reason);
    expect(attempt).not.toThrow(/canary/iu);
  });

  it('is not repeated when a field beside it is unknown', () => {
    expect(() => read({ env: 'GOOGLE_SECRET', fallback: 'canary' }, 'a')).toThrow(
      'in the project file, a.fallback must be left out: there is no such field',
    );
  });
});
