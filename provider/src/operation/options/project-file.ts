import { allowsOrigin } from '#domain/rules/redirects.ts';
import { isRecord } from '#domain/shape.ts';
import { withOAuthVariables } from '#provider/project/settings/oauth-clients.ts';
import { projectFrom, type Project } from '#provider/project/settings/project.ts';
import { FieldError } from '#provider/project/readers/readers.ts';
import { bothNames } from './option-table.ts';
import { ownFile } from './own-file.ts';
import { ProjectText, type FileMistake } from './project-text.ts';
import { textOfFile } from '#provider/base/text-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The project with the authorization page of `--authorization-url`, for hosts that choose their port at the start. */
function withPage(project: Project, url: string | null): Project {
  if (url === null) return project;
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  if (url.includes('#') || !allowsOrigin(project, origin)) {
    throw new UsageError(`${bothNames('authorizationUrl')} must be the URL of a page on a registered origin.`);
  }
  return { ...project, idp: { ...project.idp, authorization_url: url } };
}

/** The text of the project file. Throws a UsageError if it cannot be read. */
function textOf(path: string): string {
  try {
    return textOfFile(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${bothNames('project')} names ${path}: it cannot be read (${code}).`);
  }
}

/**
 * Reads the given project file, or the demo project's.
 *
 * @param authorizationUrl replaces the file's authorization page
 * @param dev whether the server runs with `--dev`
 */
export function readProject(projectFile: string | null, authorizationUrl: string | null, dev: boolean): Project {
  const path = projectFile ?? ownFile('project.json');
  let text: ProjectText | null = null;
  let project: Project | null = null;
  let failure: unknown = null;
  try {
    text = path === null ? null : new ProjectText(textOf(path));
    project = withPage(projectFrom(withOAuthVariables(text?.json ?? {}), dev), authorizationUrl);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    failure = error;
  }
  const mistakes = mistakesIn(path, text, failure);
  if (project === null || mistakes.length > 0) throw new ProjectMistakes(mistakes);
  return project;
}

/** The mistakes in a project file, each with its line. */
export class ProjectMistakes extends UsageError {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

const MOST_LINES = Number.MAX_SAFE_INTEGER;

/** In the order of the file, and then those of missing fields. A duplicate field is a mistake, too. */
function mistakesIn(path: string | null, text: ProjectText | null, error: unknown): readonly string[] {
  const all: readonly unknown[] = error instanceof FieldError ? error.all : error === null ? [] : [error];
  const lineOf = (each: unknown): number | undefined =>
    each instanceof FieldError ? text?.lineOf(each.path) : undefined;
  const found: readonly FileMistake[] = [
    ...(text?.repeated ?? []),
    ...all.map((each) => ({
      reason: each instanceof Error ? each.message : String(each),
      line: lineOf(each) ?? null,
    })),
  ];
  // Sorts a copy: `toSorted` is newer than the oldest supported Node.
  const sorted = [...found].sort((one, other) => (one.line ?? MOST_LINES) - (other.line ?? MOST_LINES));
  return sorted.map(
    ({ reason, line }) => `${path ?? 'the demo project'}: ${reason}${line === null ? '' : ` (line ${line})`}`,
  );
}

/** Reads the project of `readProject` again, with other values for some fields. Throws a FieldError for a wrong one. */
export function projectWith(
  projectFile: string | null,
  authorizationUrl: string | null,
): (settings: Readonly<Record<string, unknown>>) => Project {
  const json = projectJson(projectFile ?? ownFile('project.json'));
  return (settings) => {
    const fields = { ...(isRecord(json) ? json : {}), ...settings };
    return withPage(projectFrom(withOAuthVariables(fields), true), authorizationUrl);
  };
}

/** The JSON of the project file, unchecked; null if there is none that can be read. */
export function projectJson(path: string | null): unknown {
  try {
    return path === null ? null : new ProjectText(textOfFile(path)).json;
  } catch {
    return null;
  }
}
