import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../src/domain/json.ts';
import { allowsOrigin } from '../../../src/domain/rules/redirects.ts';
import { DEMO_PROJECT, projectFrom, type Project } from '../project/project.ts';
import { UsageError } from './options.ts';

/** A host that is free to choose its port says at the start where its page is. */
function withPage(project: Project, url: string | null): Project {
  if (url === null) return project;
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  if (url.includes('#') || !allowsOrigin(project, origin)) {
    throw new UsageError('--authorization-url must be the URL of a page on a registered origin.');
  }
  return { ...project, idp: { ...project.idp, authorization_url: url } };
}

/** The project file that comes with the provider, wherever it was built to; null when it is not there. */
function ownProjectFile(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'provider', 'project.json');
    if (existsSync(path)) return path;
  }
  return null;
}

/**
 * The project of the file that was named, or the demo's; the authorization page may be given apart.
 *
 * @param dev whether the file is read for a developer's own machine
 */
export function readProject(given: string | null, authorizationUrl: string | null, dev: boolean): Project {
  const path = given ?? ownProjectFile();
  if (path === null) return withPage(DEMO_PROJECT, authorizationUrl);
  try {
    return withPage(projectFrom(parsed(readFileSync(path, 'utf8')), dev), authorizationUrl);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The parser's own words quote what the file holds; only where it stopped is told. */
function parsed(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new Error(`the project file is not JSON${lineOfMistake(text)}`);
  return value;
}

function lineOfMistake(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const at = / position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    return at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`;
  }
}
