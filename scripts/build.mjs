/**
 * Makes dist/, .server/ and .demo/ (`npm run build`); what has not changed is not built again.
 *
 * `--step NAME` does one step unconditionally, `--force` does all of them.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from './lib/root.mjs';
import { bin, runNode } from './lib/run.mjs';
import { BuildError, ensureBuilt, STEPS } from './lib/steps.mjs';

const DIST = join(ROOT, 'dist');

/** Everything in dist but the declarations, which are a step of their own. */
function clearDist() {
  mkdirSync(DIST, { recursive: true });
  for (const name of readdirSync(DIST)) {
    if (name !== 'types') rmSync(join(DIST, name), { recursive: true, force: true });
  }
}

const config = join(ROOT, 'vite.config.ts');

const steps = {
  async entries(build) {
    clearDist();
    await build('entries');
    const [standalone] = await build('standalone');
    const { writeScriptTag } = await import('./lib/script-tag.mjs');
    writeScriptTag(standalone.output, DIST);
  },
  async types() {
    rmSync(join(DIST, 'types'), { recursive: true, force: true });
    const { code, output } = await runNode([bin('typescript/bin/tsc'), '-p', 'tsconfig.dts.json']);
    if (code !== 0) throw new Error(output);
  },
  server: (build) => build('server'),
  async demo(build) {
    for (const mode of ['demo', 'gallery', 'compat']) await build(mode);
  },
};

async function doStep(name) {
  if (!steps[name]) throw new Error(`no build step is called ${name}; there are ${Object.keys(steps).join(', ')}`);
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await steps[name]((mode) => build({ configFile: config, mode }));
}

if (isMain(import.meta.url)) {
  const args = process.argv.slice(2);
  const step = args.indexOf('--step');
  try {
    if (step >= 0) await doStep(args[step + 1]);
    else {
      if (args.includes('--force')) rmSync(join(ROOT, 'node_modules/.cache/portico'), { recursive: true, force: true });
      await ensureBuilt(Object.keys(STEPS));
    }
  } catch (error) {
    console.error(error instanceof BuildError || step >= 0 ? error.message : error);
    process.exit(1);
  }
}
