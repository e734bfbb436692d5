/** The imports of the repository's files, read from their text: which test reaches which file. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { importedFile } from './import-names.ts';
import { ROOT } from './root.mjs';

/** The module specifiers of a file, of literals only: a lint rule refuses the others. */
export function specifiersIn(name: string, text: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(name, text).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ].map((specifier) => specifier.replace(/\?.*$/u, ''));
}

const SOURCE = /\.(?:tsx?|mjs)$/u;

/** What git tracks, and what it does not ignore. */
const sourcesOf = (root: string): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => SOURCE.test(file) && existsSync(join(root, file)));

/** For each file those that import it. Paths start at the root of the repository. */
export type Importers = ReadonlyMap<string, readonly string[]>;

export function readImporters(root = ROOT): Importers {
  const importers = new Map<string, string[]>();
  for (const file of sourcesOf(root)) {
    for (const specifier of specifiersIn(file, readFileSync(join(root, file), 'utf8'))) {
      const path = importedFile(file, specifier);
      if (path !== undefined) importers.set(path, [...(importers.get(path) ?? []), file]);
    }
  }
  return importers;
}

/** The files themselves and all that import them, directly or through others, the nearest first. */
export function reaching(files: Iterable<string>, importers: Importers): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}
