import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_PROJECT, projectFrom, type Project } from '../project/project.ts';
import { UsageError } from './options.ts';

/** The project file that comes with the provider, wherever it was built to; null when it is not there. */
function ownProjectFile(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'provider', 'project.json');
    if (existsSync(path)) return path;
  }
  return null;
}

/** The project of the file that was named, or of the provider's own. */
export function readProject(given: string | null): Project {
  const path = given ?? ownProjectFile();
  if (path === null) return DEMO_PROJECT;
  try {
    return projectFrom(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
