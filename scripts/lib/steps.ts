/**
 * The build steps. Each runs only when its inputs have changed.
 *
 * The stamp of a step (a hash of its inputs) is written after its outputs, so a step that was cut short is done again.
 * Two commands at once do not build the same step at once.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { PRODUCT } from './product.ts';
import { ROOT } from './root.mjs';
import { bin, runNode } from './run.ts';

const CACHE = join(ROOT, 'node_modules/.cache/portico');
const TOOLS = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'scripts/vite', 'scripts/lib'];
const SOURCES = [...PRODUCT.filter((folder) => !folder.startsWith('provider/')), 'tests/contract', ...TOOLS];
const SERVER = [
  'provider/src',
  'provider/package.json',
  'server-rules',
  'src/domain',
  'src/application/api',
  'scripts/openapi',
  'scripts/openapi.ts',
  ...TOOLS,
];
/** The front page contains the recorded results of the benches. */
const DEMO = ['demo', 'README.md', 'bench/budgets.json', ...SOURCES];

interface Step {
  readonly says: string;
  /** The outputs of an earlier build: a folder without the files of other steps. */
  readonly clears?: { readonly folder: string; readonly except?: string };
  readonly commands: readonly (readonly string[])[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const vite = (mode: string): readonly string[] => [bin('vite/bin/vite.js'), 'build', '--mode', mode];

export type StepName = 'description' | 'entries' | 'types' | 'server' | 'test-server' | 'demo' | 'gallery' | 'docs';

/** In the order of their dependencies. */
export const STEPS: Readonly<Record<StepName, Step>> = {
  description: {
    says: 'Writing the OpenAPI description',
    commands: [['scripts/lib/jiti.mjs', 'scripts/openapi.ts']],
    inputs: ['types', ...SERVER],
    outputs: ['provider/openapi.json'],
  },
  entries: {
    says: 'Building the npm entries and the standalone widget',
    clears: { folder: 'dist', except: 'types' },
    commands: [vite('entries'), vite('standalone'), vite('early')],
    inputs: SOURCES,
    outputs: ['dist/index.js', 'dist/headless.js', 'dist/standalone.js', 'dist/script/portico.js', 'dist/login.css'],
  },
  types: {
    says: 'Writing the type declarations',
    clears: { folder: 'dist/types' },
    // Types are checked by the gate, with the packages of the tests: Next, Playwright and Vitest are not there for `npm start`.
    commands: [
      [bin('typescript/bin/tsc'), '-p', 'tsconfig.dts.json', '--noCheck'],
      [bin('jiti/lib/jiti-cli.mjs'), 'scripts/relative-types.ts'],
    ],
    inputs: [...SOURCES, 'types', 'tsconfig.dts.json'],
    outputs: ['dist/types/src/composition/index.d.ts'],
  },
  server: {
    says: 'Building the provider',
    commands: [vite('server')],
    inputs: SERVER,
    outputs: ['provider/dist/main.js', 'provider/dist/strength-worker.mjs', 'provider/dist/migrated-worker.mjs'],
  },
  'test-server': {
    says: 'Building the provider for tests',
    commands: [vite('test-server')],
    inputs: [...SERVER, 'tests/patience-ms.ts'],
    outputs: ['provider/.test-server/main.js', 'provider/.test-server/patient.js'],
  },
  demo: {
    says: 'Building the demo pages',
    commands: [vite('demo')],
    inputs: DEMO,
    outputs: ['.demo/index.html', '.demo/playground.html'],
  },
  gallery: {
    says: 'Building the gallery',
    commands: ['gallery', 'gallery-without-react', 'compat'].map(vite),
    // With those of the demo, whose build takes away what is in its folder.
    inputs: ['tests/gallery', 'tests/compat', ...DEMO],
    outputs: ['gallery', 'gallery/without-react']
      .map((name) => `.demo/${name}/walk.html`)
      .concat('.demo/compat/react-6/index.html'),
  },
  docs: {
    says: 'Building the documentation pages',
    commands: [[bin('jiti/lib/jiti-cli.mjs'), 'scripts/docs.ts']],
    inputs: [
      'docs',
      'site',
      'README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'provider/README.md',
      'demo/icon.svg',
      'demo/parts',
      'scripts/docs.ts',
      'scripts/config-reference.ts',
      'names.json',
      'dist/types',
      ...TOOLS,
    ],
    outputs: ['.docs/site/index.html', '.docs/site/strict/styles.css'],
  },
};

export class BuildError extends Error {}

const stampFile = (name: StepName): string => join(CACHE, `${name}.stamp`);

/** sha256 over names and contents of every file that the step reads. */
function hashOf(name: StepName): string {
  const hash = createHash('sha256').update(name);
  for (const input of STEPS[name].inputs) {
    const at = join(ROOT, input);
    const files = statSync(at).isDirectory() ? readdirSync(at, { recursive: true, encoding: 'utf8' }).sort() : [''];
    for (const file of files.filter((one) => !one.includes('node_modules') && statSync(join(at, one)).isFile())) {
      hash.update(`\0${input}/${file}\0`).update(readFileSync(join(at, file)));
    }
  }
  return hash.digest('hex');
}

function isFresh(name: StepName, hash: string): boolean {
  const stamp = stampFile(name);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) return false;
  return STEPS[name].outputs.every((path) => existsSync(join(ROOT, path)));
}

export function forgetBuilds(): void {
  for (const name of Object.keys(STEPS) as StepName[]) rmSync(stampFile(name), { force: true });
}

async function doStep({ says, clears, commands }: Step): Promise<void> {
  const folder = join(ROOT, clears?.folder ?? '');
  if (clears !== undefined && existsSync(folder)) {
    for (const file of readdirSync(folder)) {
      if (file !== clears.except) rmSync(join(folder, file), { recursive: true, force: true });
    }
  }
  // NODE_ENV selects React's JSX runtime, so it is set here, whatever started this command.
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: undefined };
  for (const command of commands) {
    const { code, output } = await runNode(command, { env });
    if (code !== 0) throw new BuildError(`${says} failed:\n${output.trim()}`);
  }
}

/** Runs the stale ones of the named steps. @throws {BuildError} with the tool's output */
export async function ensureBuilt(
  names: readonly StepName[],
  say: (line: string) => void = console.log,
): Promise<void> {
  for (const name of names) {
    if (isFresh(name, hashOf(name))) continue;
    await withLock(join(CACHE, `${name}.lock`), async () => {
      const hash = hashOf(name);
      if (isFresh(name, hash)) return;
      say(`${STEPS[name].says} …`);
      rmSync(stampFile(name), { force: true });
      await doStep(STEPS[name]);
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(stampFile(name), hash);
    });
  }
}
