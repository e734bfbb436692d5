/** Files of a folder, in a stable order, and hashes over them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const SKIPPED = new Set(['node_modules', '.git', '.DS_Store']);

/** Every file below `path` (or `path` itself), sorted; a missing path has none. */
export function filesUnder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => {
      const at = join(path, entry.name);
      if (entry.isDirectory()) return filesUnder(at);
      return entry.isFile() ? [at] : [];
    })
    .sort();
}

/** The path as the gates name it: relative to the root, with forward slashes. */
export const shown = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/** sha256 over names and contents of every file below the paths. */
export function hashOf(root: string, paths: readonly string[], salt = ''): string {
  const hash = createHash('sha256').update(salt);
  for (const file of paths.flatMap((path) => filesUnder(join(root, path)))) {
    const content = readFileSync(file);
    hash.update(`\0${shown(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
