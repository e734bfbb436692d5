/** How long the test files of the last run took, kept in `.cache/test-times/`, the slowest first. */
import { mkdirSync, writeFileSync } from 'node:fs';
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

/** @param name of the file without `.json`, such as `browser` */
export function keepTimes(name: string, times: ReadonlyMap<string, number>): void {
  const folder = join(ROOT, '.cache/test-times');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(slowestFirst(times), null, 2)}\n`);
}
