/** The fast loop (`npm run check`): types, lint, format, lock, and the unit and contract tests. */
import { GATES } from './lib/gates.ts';
import { Report, sideBySide } from './lib/report.ts';
import { stopOnSignal } from './lib/run.ts';
import { vitest } from './lib/runners.ts';

stopOnSignal(130);
const report = new Report();
await sideBySide(
  Object.values(GATES).map(
    ({ name, check }) =>
      async () =>
        report.stage(name, async () => check()),
  ),
);
await report.stage('unit and contract tests', async () => vitest(['node', 'dom', 'dom-alone']));
process.exit(report.close());
