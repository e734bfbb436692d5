import { readFileSync } from 'node:fs';
import { parseJson } from '../../../src/domain/json.ts';
import { allowsOrigin } from '../../../src/domain/rules/redirects.ts';
import { withOAuthVariables } from '../project/oauth-clients.ts';
import { projectFrom, type Project } from '../project/project.ts';
import { ownFile } from './own-file.ts';
import { UsageError } from './usage-error.ts';

/** The project with the authorization page of `--authorization-url`, for a host whose port is chosen at the start. */
function withPage(project: Project, url: string | null): Project {
  if (url === null) return project;
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  if (url.includes('#') || !allowsOrigin(project, origin)) {
    throw new UsageError('--authorization-url must be the URL of a page on a registered origin.');
  }
  return { ...project, idp: { ...project.idp, authorization_url: url } };
}

/**
 * Reads the given project file, or the demo project's.
 *
 * @param authorizationUrl replaces the file's authorization page
 * @param dev whether the server runs with `--dev`
 */
export function readProject(given: string | null, authorizationUrl: string | null, dev: boolean): Project {
  const path = given ?? ownFile('project.json');
  try {
    const json = path === null ? {} : parsed(readFileSync(path, 'utf8'));
    return withPage(projectFrom(withOAuthVariables(json), dev), authorizationUrl);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path ?? 'the demo project'}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The JSON of the project file, unchecked; null when there is none that can be read. */
export function projectJson(path: string | null): unknown {
  try {
    return path === null ? null : (parseJson(readFileSync(path, 'utf8')) ?? null);
  } catch {
    return null;
  }
}

/** Parses JSON. The error names only the position, because the parser's message quotes the file's contents. */
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
