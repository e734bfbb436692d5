import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that compute for long, or wait for processes and browsers: the last one to end should not be one of these. */
const LONG = [
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
];
const place = ({ moduleId }: TestSpecification): number => {
  const found = LONG.findIndex((name) => moduleId.includes(`/${name}.`));
  return found < 0 ? LONG.length : found;
};

/**
 * Starts the longest files of each project first, on a machine that has never run them, too. The others keep vitest's order. The files of
 * a project stay together: a worker ends, with its modules and databases, when the next file is of another project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longestFirst = [...sorted].sort((one, other) => place(one) - place(other));
    const projects = [...new Set(longestFirst.map(({ project }) => project))];
    return projects.flatMap((project) => longestFirst.filter((file) => file.project === project));
  }
}
