/**
 * The fast loop (`npm run check`): types, lint, format, lock, and the unit and contract tests; with `--changed` those alone that import a
 * file that differs from the last commit.
 */
import { gateStages } from './lib/gates.ts';
import { Report, sideBySide } from './lib/report.ts';
import { stopOnSignal } from './lib/run.ts';
import { vitest } from './lib/runners.ts';

stopOnSignal(130);
const report = new Report();
await sideBySide(gateStages(report));
await report.stage('unit and contract tests', async () =>
  vitest(['node', 'node-alone', 'dom', 'dom-alone'], {}, process.argv.includes('--changed')),
);
process.exit(report.close());
