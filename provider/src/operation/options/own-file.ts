import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of this package, from sources or a build; null if it is missing. */
export function ownFile(name: string): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  return null;
}
