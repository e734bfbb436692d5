import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';

/** A walk of docs/architecture.md: a title, how many files run, and the stations that decide something. */
export interface Walk {
  readonly title: string;
  readonly files: number;
  readonly stations: readonly string[];
}

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

export const WALKS: readonly Walk[] = [
  ...page.matchAll(/^\*\*(?<title>[^*]+?) \((?<files>\d+) files\)\.\*\* (?<path>[\s\S]*?)(?=\n\n)/gmu),
].map(({ groups }) => ({
  title: groups?.['title'] ?? '',
  files: Number(groups?.['files']),
  stations: [...(groups?.['path'] ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
}));

export function walkOf(title: string): Walk {
  const found = WALKS.find((walk) => walk.title.startsWith(title));
  if (found === undefined) throw new Error(`docs/architecture.md has no walk that begins with "${title}"`);
  return found;
}

/** What is wrong with a walk; empty if the page states it as it runs. */
export function faultsOf({ files, stations }: Walk, ran: readonly string[]): readonly string[] {
  const isThere = (station: string): boolean =>
    ran.some((file) => /\.tsx?$/u.test(file) && `/${file}`.includes(`/${station}.ts`));
  return [
    // Two more or fewer run by the database (its adapters), and by which of two loads ends first.
    ...(Math.abs(files - ran.length) <= 2 ? [] : [`${ran.length} files run, the page says ${files}`]),
    ...stations.filter((station) => !isThere(station)).map((station) => `${station} does not run`),
  ];
}
