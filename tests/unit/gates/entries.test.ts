import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORTABLE, importNameOf, sourceOf } from '#scripts/lib/entries.ts';
import { ROOT } from '#scripts/lib/root.mjs';

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the list of entries', () => {
  it('names modules that exist', () => {
    expect(IMPORTABLE.map(sourceOf).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('is the one of package.json', () => {
    const { exports, types } = JSON.parse(readText('package.json')) as {
      readonly exports: Readonly<Record<string, unknown>>;
      readonly types: string;
    };
    const typesOf = (name: (typeof IMPORTABLE)[number]) =>
      `./dist/types/${sourceOf(name).replace(/\.tsx?$/u, '.d.ts')}`;
    const expected = Object.fromEntries(
      IMPORTABLE.map((name) => [
        importNameOf(name).replace(/^portico/u, '.'),
        { types: typesOf(name), default: `./dist/${name}.js` },
      ]),
    );
    // Classic scripts, a style sheet and the manifest are no modules.
    const files = {
      './portico.js': './dist/script/portico.js',
      './early.js': './dist/early.js',
      './login.css': './dist/login.css',
      './package.json': './package.json',
    };
    expect(exports).toEqual({ ...expected, ...files });
    expect(types).toBe(typesOf('index'));
  });

  it('is the one of tsconfig.json', () => {
    const { compilerOptions } = JSON.parse(readText('tsconfig.json')) as {
      readonly compilerOptions: { readonly paths: object };
    };
    const expected = IMPORTABLE.map((name) => [importNameOf(name), [`./${sourceOf(name)}`]]);
    const entries = Object.entries(compilerOptions.paths).filter(([name]) => !name.startsWith('#'));
    expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(expected));
  });

  it('is the one of the readme', () => {
    const [, table = ''] = /\n\| import \| gives \|\n\|---\|---\|\n((?:\|.*\n)+)/u.exec(readText('README.md')) ?? [];
    const named = table.split('\n').flatMap((row) => (row.split('|')[1] ?? '').match(/portico[\w/]*/gu) ?? []);
    expect(named.sort()).toEqual(IMPORTABLE.map((name) => importNameOf(name)).sort());
  });
});
