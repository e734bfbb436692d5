/**
 * The build steps, each done only when the contents it is made from have changed.
 *
 * The stamp of a step (a hash of its inputs) is written after its outputs, so a step that was cut short is done again.
 * Two commands at once do not build the same step at once.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './files.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './root.mjs';
import { runNode } from './run.mjs';

const CACHE = join(ROOT, 'node_modules/.cache/portico');
const TOOLS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'scripts/vite',
  'scripts/lib/script-tag.mjs',
  'scripts/build.mjs',
];
const SOURCES = ['src', 'tests/contract'];

/** In the order in which they need each other. */
export const STEPS = {
  entries: {
    says: 'Building the npm entries and the standalone widget',
    inputs: [...SOURCES, ...TOOLS],
    outputs: ['dist/index.js', 'dist/headless.js', 'dist/standalone.js', 'dist/portico.js'],
  },
  types: {
    says: 'Writing the type declarations',
    inputs: [...SOURCES, ...TOOLS, 'types', 'tsconfig.dts.json'],
    outputs: ['dist/types/src/composition/index.d.ts'],
  },
  server: {
    says: 'Building the provider',
    inputs: ['provider/src', 'provider/package.json', 'src/domain', 'src/application/api', ...TOOLS],
    outputs: ['.server/main.js', '.server/strength-worker.mjs'],
  },
  demo: {
    says: 'Building the demo pages',
    inputs: ['demo', 'tests/gallery', 'tests/compat', ...SOURCES, ...TOOLS],
    outputs: ['.demo/index.html', '.demo/gallery/index.html', '.demo/compat/react-6/index.html'],
  },
};

export class BuildError extends Error {}

const stampFile = (name) => join(CACHE, `${name}.stamp`);
const hashOfStep = (name) => hashOf(ROOT, STEPS[name].inputs, name);

function isFresh(name, hash) {
  const stamp = stampFile(name);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) return false;
  return STEPS[name].outputs.every((path) => existsSync(join(ROOT, path)));
}

/** Does what is stale among the named steps. @throws {BuildError} with the tool's own words */
export async function ensureBuilt(names, say = console.log) {
  for (const name of names) {
    if (isFresh(name, hashOfStep(name))) continue;
    await withLock(join(CACHE, `${name}.lock`), async () => {
      const hash = hashOfStep(name);
      if (isFresh(name, hash)) return;
      say(`${STEPS[name].says} …`);
      rmSync(stampFile(name), { force: true });
      // A process of its own: React's JSX runtime is picked by NODE_ENV, whatever started this command.
      const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: undefined };
      const { code, output } = await runNode([join(ROOT, 'scripts/build.mjs'), '--step', name], { env });
      if (code !== 0) throw new BuildError(`${STEPS[name].says} failed:\n${output.trim()}`);
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(stampFile(name), hash);
    });
  }
}
