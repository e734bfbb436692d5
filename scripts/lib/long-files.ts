/** The soak files that take more than a minute: kept in `tests/long-files.json`, so that every machine knows them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { readTimes } from './test-times.ts';

const LONG_FILES = join(ROOT, 'tests/long-files.json');
const LONG_SECONDS = 60;

/** The seconds of each file, from the root of the repository, the slowest first. */
export const longFiles = (): Readonly<Record<string, number>> =>
  existsSync(LONG_FILES) ? (JSON.parse(readFileSync(LONG_FILES, 'utf8')) as Record<string, number>) : {};

/** Keeps the times of the soak run that just ended. */
export function writeLongFiles(): void {
  const long = ['soak', 'soak-browser'].flatMap(readTimes).filter(({ seconds }) => seconds > LONG_SECONDS);
  const rows = Object.fromEntries(long.map(({ file, seconds }) => [file, Math.round(seconds)]));
  writeFileSync(LONG_FILES, `${JSON.stringify(rows, null, 2)}\n`);
}
