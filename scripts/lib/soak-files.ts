/**
 * The test files that `SOAK=1` changes: those named `*.soak.*`, those that read `tests/soak.ts`, directly or through others, and browser
 * tests with a tag.
 * `npm run test:soak` runs them; `npm run check -- --changed` those of a change.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOAK_ON_REACT_18, SOAK_WITHOUT_REACT } from '../../tests/soak.ts';
import { reaching, readImporters, type Importers } from './imports.ts';
import { PRODUCT } from './product.ts';
import { ROOT } from './root.mjs';

const SWITCH = 'tests/soak.ts';
const UNIT_TEST = /^(?:tests\/(?:unit|contract|package)|provider\/tests)\/.*\.test\.tsx?$/u;
const SPEC = /^tests\/(?:e2e|examples|webkit)\/.*\.spec\.ts$/u;
const NAME = /\.soak\./u;
const TAG = /@(?:soak|every)\b/u;
/** Only `npm run test:soak` installs WebKit. */
const WEBKIT = 'tests/webkit/';

export interface SoakFiles {
  /** Of Vitest. */
  readonly units: readonly string[];
  /** Of Playwright. */
  readonly specs: readonly string[];
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export function soakFiles(importers: Importers = readImporters()): SoakFiles {
  const switched = reaching([SWITCH], importers);
  const files = new Set([...importers.values()].flat());
  const isSoakSpec = (file: string): boolean =>
    NAME.test(file) || file.startsWith(WEBKIT) || switched.has(file) || TAG.test(read(file));
  return {
    units: [
      ...new Set([
        ...[...files, ...switched].filter((file) => UNIT_TEST.test(file) && (NAME.test(file) || switched.has(file))),
        ...SOAK_ON_REACT_18,
        ...SOAK_WITHOUT_REACT,
      ]),
    ].sort(),
    specs: [...files].filter((file) => SPEC.test(file) && isSoakSpec(file)).sort(),
  };
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });

export interface Change {
  readonly files: readonly string[];
  /** The texts in quotes that the change took away: a test may still look for them. */
  readonly removedTexts: readonly string[];
}

const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){8,})\1/gu;

/** What differs from the last commit. */
export function changeSinceCommit(): Change {
  const files = `${git('diff', '--name-only', 'HEAD')}${git('ls-files', '--others', '--exclude-standard')}`;
  const diff = git('diff', '--unified=0', 'HEAD', '--', ...PRODUCT, 'demo', 'site', 'examples');
  return { files: files.split('\n').filter(Boolean), removedTexts: removedTexts(diff) };
}

/** The texts of the removed lines that no added line has. */
export function removedTexts(diff: string): readonly string[] {
  const textsOf = (sign: string): ReadonlySet<string> =>
    new Set(
      diff
        .split('\n')
        .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
        .flatMap((line) => [...line.matchAll(QUOTED)].map(([, , text = '']) => text)),
    );
  const added = textsOf('+');
  // Paths and names of attributes are in many files by chance.
  return [...textsOf('-')].filter((text) => !added.has(text) && /\s/u.test(text));
}

/** The soak files that look for a text that is gone, then those that import a changed file, the nearest first. */
export function soakFilesOf(change: Change, importers: Importers = readImporters()): SoakFiles {
  const changed = [...reaching(change.files, importers)];
  const ofChange = (files: readonly string[]): readonly string[] => {
    const quoting = files.filter((file) => change.removedTexts.some((text) => read(file).includes(text)));
    return [...new Set([...quoting, ...changed.filter((file) => files.includes(file))])];
  };
  const { units, specs } = soakFiles(importers);
  return { units: ofChange(units), specs: ofChange(specs) };
}
