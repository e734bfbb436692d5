import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { sourceAt } from '#scripts/lib/source-files.ts';

describe('the sources that the demo shows', () => {
  it('are the folders and the texts of the repository', () => {
    expect(sourceAt('')).toMatchObject({
      folders: expect.arrayContaining(['src', 'provider', 'demo']) as unknown,
      files: expect.arrayContaining(['README.md', 'package.json']) as unknown,
    });
    expect(sourceAt('src/domain/contacts/email.ts')).toBe(
      readFileSync(join(ROOT, 'src/domain/contacts/email.ts'), 'utf8'),
    );
    expect(sourceAt('src/domain/contacts/')).toMatchObject({ files: expect.arrayContaining(['email.ts']) as unknown });
  });

  it('leave out what is made, installed, hidden or elsewhere', () => {
    const { folders, files } = sourceAt('') as { folders: string[]; files: string[] };
    expect([...folders, ...files].filter((name) => /^\.|^node_modules$|^dist$/u.test(name))).toEqual([]);
    const paths = [
      '../package.json',
      'src/../../etc/passwd',
      'src/../package.json',
      '.git/config',
      '.data',
      'node_modules/hono/package.json',
      'dist/index.js',
      'provider/dist/main.js',
      'docs/widget.png',
      'README.md/x',
      'no-such-file.ts',
      '/etc/passwd',
      'src\\domain',
    ];
    expect(paths.filter((path) => sourceAt(path) !== null)).toEqual([]);
  });

  it('do not follow links, which may lead elsewhere', () => {
    const folder = mkdtempSync(join(ROOT, 'types/links-'));
    const name = relative(ROOT, folder);
    try {
      symlinkSync('/etc', join(folder, 'etc'));
      symlinkSync(join(ROOT, 'package.json'), join(folder, 'linked.json'));
      expect(sourceAt(name)).toEqual({ folders: [], files: [] });
      expect(sourceAt(`${name}/linked.json`)).toBeNull();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
