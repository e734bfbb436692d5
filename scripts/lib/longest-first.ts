import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longFiles } from './long-files.ts';
import { SOAK } from '../../tests/soak.ts';

/** Another order of the files for each text, to find files that depend on what ran before them. */
const ORDER = process.env['ORDER'];

/** Files that compute for long, or wait for processes and browsers: the last one to end should not be one of these. */
const LONG_IN_EVERY_RUN = [
  'tests/contract/flows/provider',
  'provider/tests/cli/process',
  'provider/tests/attacks/flow-table',
  'provider/tests/db/migrate',
  'provider/tests/vendor/vendor',
  'provider/tests/attacks/three-processes',
  'provider/tests/attacks/stuck-locks',
  'tests/contract/wire/compare',
  'provider/tests/attacks/floods',
  'provider/tests/attacks/one-site',
  'provider/tests/vendor/clientside-services',
  'provider/tests/attacks/front-proxies',
  'provider/tests/attacks/hostile-requests',
  'provider/tests/backup/backup',
  'tests/contract/browser/chromium',
  'provider/tests/attacks/several-machines',
  'tests/unit/docs/examples',
  'tests/unit/presentation/hostile-fixtures',
].map((name) => `${name}.`);
const LONG = SOAK ? [...Object.keys(longFiles()), ...LONG_IN_EVERY_RUN] : LONG_IN_EVERY_RUN;
const place = ({ moduleId }: TestSpecification): number => {
  const found = LONG.findIndex((name) => moduleId.includes(`/${name}`));
  return found < 0 ? LONG.length : found;
};

const shuffled = ({ moduleId }: TestSpecification): string =>
  createHash('sha256').update(`${ORDER} ${moduleId}`).digest('hex');

/**
 * Starts the longest files of each project first, on a machine that has never run them, too. The others keep vitest's order. The files of
 * a project stay together: a worker ends, with its modules and databases, when the next file is of another project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longestFirst = [...sorted].sort(
      ORDER === undefined
        ? (one, other) => place(one) - place(other)
        : (one, other) => shuffled(one).localeCompare(shuffled(other)),
    );
    // The package's files take longest: one at the end of the run would leave the other workers without work.
    const isFirst = ({ name }: TestSpecification['project']): number => Number(name === 'package');
    const projects = [...new Set(longestFirst.map(({ project }) => project))].sort(
      (one, other) => isFirst(other) - isFirst(one),
    );
    return projects.flatMap((project) => longestFirst.filter((file) => file.project === project));
  }
}
