import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that compute for long, or wait for processes and browsers: the last one to end should not be one of these. */
const LONG = [
  'provider/tests/db/kills',
  'provider/tests/vendor/vendor',
  'provider/tests/vendor/widgets',
  'provider/tests/vendor/clientside-services',
  'provider/tests/attacks/one-site',
  'tests/contract/flows/provider',
  'tests/contract/wire/compare',
  'tests/unit/presentation/hostile-fixtures',
  'provider/tests/attacks/flow-table',
  'provider/tests/attacks/tossed-cookies',
  'provider/tests/attacks/additions-in-flight',
  'provider/tests/attacks/slow-peers',
  'provider/tests/attacks/shared-lines',
  'provider/tests/attacks/three-processes',
  'provider/tests/attacks/database-outages',
  'provider/tests/attacks/clocks',
  'provider/tests/attacks/front-proxies',
  'provider/tests/attacks/session-ends',
  'provider/tests/cli/process',
  'provider/tests/cli/key-file',
  'provider/tests/access/admin',
  'provider/tests/db/full-disk',
  'tests/contract/browser/chromium',
  'tests/unit/gates/lint',
  'tests/unit/docs/examples',
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
