/** The fast loop (`npm run check`): types, lint, format, layers, lock, and the unit and contract tests. */
import { GATES } from './lib/gates.mjs';
import { Report, sideBySide } from './lib/report.mjs';
import { stopOnSignal } from './lib/run.mjs';
import { vitest } from './lib/runners.mjs';

stopOnSignal(130);
const report = new Report();
await sideBySide(
  Object.values(GATES).map(
    ({ name, check }) =>
      () =>
        report.stage(name, () => check()),
  ),
);
await report.stage('unit and contract tests', () => vitest(['node', 'dom', 'dom-alone']));
process.exit(report.close());
