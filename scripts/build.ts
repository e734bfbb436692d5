/**
 * Makes dist/, provider/dist/ and .demo/ (`npm run build`), or the named targets (`server`). Unchanged targets are skipped, unless
 * `--force` is given.
 */
import { BuildError, ensureBuilt, forgetBuilds, STEPS, type StepName } from './lib/steps.ts';

const named = process.argv.slice(2).filter((arg): arg is StepName => arg in STEPS);
if (process.argv.includes('--force')) forgetBuilds();
try {
  await ensureBuilt(named.length > 0 ? named : (Object.keys(STEPS) as StepName[]), console.error);
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exit(1);
}
