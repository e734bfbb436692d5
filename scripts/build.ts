/** Makes dist/, .server/ and .demo/ (`npm run build`); what has not changed is not built again, unless with `--force`. */
import { BuildError, ensureBuilt, forgetBuilds, STEPS, type StepName } from './lib/steps.ts';

if (process.argv.includes('--force')) forgetBuilds();
try {
  await ensureBuilt(Object.keys(STEPS) as StepName[]);
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exit(1);
}
