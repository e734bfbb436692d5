/** How long the test files of the last run took, kept in `.cache/test-times/`, the slowest first. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './root.mjs';

interface FileTime {
  /** Relative to the repository. */
  readonly file: string;
  /** From the start of its first test or hook to the end of the last; of browser tests, the sum. */
  readonly seconds: number;
}

export const slowestFirst = (times: ReadonlyMap<string, number>): readonly FileTime[] =>
  [...times]
    .map(([file, ms]) => ({ file: relative(ROOT, file), seconds: Math.round(ms / 100) / 10 }))
    .sort((one, other) => other.seconds - one.seconds);

const FOLDER = join(ROOT, '.cache/test-times');

/** @param name of the file without `.json`, such as `browser` */
export function keepTimes(name: string, times: ReadonlyMap<string, number>): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(slowestFirst(times), null, 2)}\n`);
}

/** @param name as for `keepTimes` */
export function readTimes(name: string): readonly FileTime[] {
  const file = join(FOLDER, `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly FileTime[]) : [];
}
