/**
 * Replaces the names of folders in the type declarations, such as `#domain/…`, by paths, because hosts do not have the names. The
 * compiler leaves out the extension of a path that it writes itself; it is added.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importedFile } from './lib/import-names.ts';
import { ROOT } from './lib/root.mjs';

const TYPES = 'dist/types';
const IMPORT = /(\bfrom |\bimport\()(["'])([#.][^"']+)\2/gu;

for (const file of readdirSync(join(ROOT, TYPES), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(ROOT, TYPES, file);
  const text = readFileSync(path, 'utf8');
  const withPaths = text.replace(IMPORT, (whole, before: string, quote: string, specifier: string) => {
    const target = importedFile(file, specifier);
    if (target === undefined) return whole;
    const extension = existsSync(join(ROOT, TYPES, `${target}.d.ts`)) ? '.ts' : '';
    const to = relative(dirname(file), `${target}${extension}`);
    return `${before}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
  });
  if (withPaths !== text) writeFileSync(path, withPaths);
}
