/** The names of tsconfig.json's `paths`: of entries, such as `portico/react`, and of folders, such as `#domain/…`. */
import { dirname, join } from 'node:path';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

const PATHS = Object.entries(tsconfig.compilerOptions.paths).map(([name, [path = '']]) => [name, path] as const);

/** The names of entries, such as `portico/react`, and the files that they stand for. */
export const NAMED_ENTRIES: ReadonlyMap<string, string> = new Map(PATHS.filter(([name]) => !name.startsWith('#')));

/** The names of folders, such as `#domain`, and the folders, without a slash at the end. */
export const NAMED_FOLDERS: readonly (readonly [name: string, folder: string])[] = PATHS.filter(([name]) =>
  name.startsWith('#'),
).map(([name, path]) => [name.slice(0, -2), join(path.slice(0, -2))] as const);

/** The path of an import from the root of the repository; undefined for a package. */
export function importedFile(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [name = '', ...rest] = specifier.split('/');
  const folder = NAMED_FOLDERS.find(([each]) => each === name)?.[1];
  const path = folder === undefined ? NAMED_ENTRIES.get(specifier) : join(folder, ...rest);
  return path === undefined ? undefined : join(path);
}
