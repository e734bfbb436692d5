/** What a release needs, read from the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

export interface Release {
  /** Paths that differ from the last commit. */
  readonly changes: readonly string[];
  /** The names of the tags of the last commit. */
  readonly tags: readonly string[];
  /** By the file that has it. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changelog: string;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[\da-z.]+)?$/u;

/** Where a file that is not a manifest has the version. */
const PLACES: Readonly<Record<string, RegExp>> = {
  'provider/openapi.json': /"version": "([^"]+)"/u,
  'provider/deploy/Containerfile': /org\.opencontainers\.image\.version="([^"]+)"/u,
  'provider/deploy/kubernetes.yaml': /image: [\w.]+\/portico-provider:(\S+)/u,
};

/** The versions in the repository, by file. A file without a version has an empty one. */
export function versionsIn(root = ROOT): Readonly<Record<string, string>> {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const versions = ['package.json', 'provider/package.json'].map((path) => {
    const { version } = JSON.parse(read(path)) as { readonly version: string };
    return [path, version] as const;
  });
  const others = Object.entries(PLACES).map(([path, place]) => [path, place.exec(read(path))?.[1] ?? ''] as const);
  return Object.fromEntries([...versions, ...others]);
}

interface Chapter {
  /** After the version, such as `2026-12-01` or `unreleased`. */
  readonly date: string;
  readonly text: string;
}

/** The changelog's chapter of a version, or null. */
export function chapterOf(version: string, changelog: string): Chapter | null {
  for (const chapter of changelog.split(/^## /mu).slice(1)) {
    const [title = '', ...lines] = chapter.split('\n');
    const [name, date = ''] = title.split(' – ');
    if (name === `[${version}]`) return { date, text: lines.join('\n').trim() };
  }
  return null;
}

/**
 * What prevents a release, or would prevent it when it is published; empty if nothing does. Each text names what to change.
 *
 * @param isPublished true if the packages are published, and not only checked
 */
export function releaseProblems(
  { changes, tags, versions, changelog }: Release,
  isPublished: boolean,
): readonly string[] {
  const [version = ''] = Object.values(versions);
  const chapter = chapterOf(version, changelog);
  const problems = [
    ...(changes.length === 0 ? [] : [`commit or remove these changes: ${changes.join(', ')}`]),
    ...(VERSION.test(version) ? [] : [`package.json must have a version such as 1.2.3, and has '${version}'`]),
    ...Object.entries(versions).flatMap(([file, other]) =>
      other === version ? [] : [`${file} must have the version ${version} of package.json, and has '${other}'`],
    ),
    ...(chapter === null || chapter.text === '' ? [`CHANGELOG.md must have a chapter ## [${version}] with text`] : []),
  ];
  if (!isPublished) return problems;
  const isDated = chapter !== null && /^\d{4}-\d\d-\d\d$/u.test(chapter.date);
  return [
    ...problems,
    ...(chapter === null || isDated
      ? []
      : [`the chapter of ${version} in CHANGELOG.md must have a date such as 2026-12-01`]),
    ...(tags.includes(`v${version}`) ? [] : [`the last commit must have the tag v${version}`]),
  ];
}
