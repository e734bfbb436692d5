import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { NAMED_ENTRIES } from './scripts/lib/import-names.ts';
import { plugins } from './scripts/vite/plugins.ts';
import { WITHOUT_REACT } from './scripts/vite/without-react.ts';
import { LongestFirst } from './scripts/lib/longest-first.ts';
import { PATIENCE_MS } from './tests/patience-ms.ts';
import { SOAK, SOAK_ON_REACT_18, SOAK_WITHOUT_REACT } from './tests/soak.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests make much that is soon garbage; a larger nursery is emptied less often. It is a fifth of the time of the largest files. */
const MEMORY = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
/**
 * A fifth of a worker's computing was compiling: code that runs for some seconds is seldom worth an optimized version, and code that one
 * file leaves is needed by a later one. Newer versions of V8 have no interrupt budget, and optimize as late without it.
 */
const COMPILING = [
  '--no-flush-bytecode',
  '--wasm-tiering-budget=18000000',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=540672'] : []),
];

/**
 * The files of the other projects share a worker's modules. These have their own: they replace or reload modules, count the files that
 * run, or move the time of day by years.
 */
const alone = '**/*.alone.*';
/** Files of the soak suite. */
const soakOnly = SOAK ? [] : ['**/*.soak.*'];
const dom = ['tests/**/*.dom.test.ts', 'tests/**/*.dom.test.tsx'];

export default defineConfig({
  plugins,
  // Tests of the entries run on the sources, by the `paths` of tsconfig.json; samples that are written elsewhere do, too.
  resolve: {
    alias: [...NAMED_ENTRIES].map(([name, path]) => ({
      find: new RegExp(`^${name}$`),
      replacement: at(path),
    })),
  },
  test: {
    // Ceilings that only a fault reaches, also where other work keeps the machine busy; `expect.poll` and `vi.waitFor` end before.
    testTimeout: 2.5 * PATIENCE_MS,
    hookTimeout: 2.5 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // A list, so that those of a project are added to it.
    setupFiles: ['./tests/patience.ts'],
    execArgv: [...MEMORY, ...COMPILING],
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    unstubGlobals: true,
    // The files of a worker share a page, which no press may leave.
    environmentOptions: {
      happyDOM: {
        settings: {
          navigation: {
            disableMainFrameNavigation: true,
            disableChildPageNavigation: true,
            disableFallbackToSetURL: true,
          },
        },
      },
    },
    projects: [
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^\.\/hash-parameters\.ts$/, replacement: at('provider/tests/kit/light-hash-parameters.ts') },
            { find: /^\.\/transaction-limit\.ts$/, replacement: at('provider/tests/kit/long-transaction-limit.ts') },
            // The packages of examples/mcp, which the tests' clients have too.
            {
              find: /^@modelcontextprotocol\/sdk\/(.*)$/,
              replacement: at('tests/clients/node_modules/@modelcontextprotocol/sdk/dist/esm/$1'),
            },
          ],
        },
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: './provider/tests/kit/database-template.ts',
          // The files of one worker share its modules, none of which keeps a state: a third of the time is loading them.
          isolate: false,
          include: ['tests/unit/**/*.test.ts', 'tests/contract/**/*.test.ts', 'provider/tests/**/*.test.ts'],
          exclude: [...dom, alone, ...soakOnly],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['./tests/unit/lazy-code.ts', './tests/unit/dom-setup.ts'],
          include: dom,
          exclude: [alone, ...soakOnly],
        },
      },
      {
        extends: true,
        test: {
          name: 'node-alone',
          environment: 'node',
          globalSetup: './provider/tests/kit/database-template.ts',
          include: ['{tests/unit,provider/tests}/**/*.alone.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom-alone',
          environment: 'happy-dom',
          setupFiles: './tests/unit/dom-setup.ts',
          include: ['tests/unit/**/*.alone.dom.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        resolve: {
          alias: [
            ...['react', 'react-dom'].map((name) => ({
              find: new RegExp(`^${name}(?=$|/)`),
              replacement: at(`./tests/react-18/node_modules/${name}`),
            })),
            // As a module, so that its imports are found in the same place.
            {
              find: /^@testing-library\/react$/,
              replacement: at('./node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
            },
          ],
        },
        test: {
          name: 'react-18',
          environment: 'happy-dom',
          setupFiles: './tests/unit/dom-setup.ts',
          include: [
            'tests/unit/composition/server-widgets.react-18.test.tsx',
            'tests/unit/composition/react.dom.test.tsx',
            'tests/unit/composition/hydration.dom.test.tsx',
            'tests/unit/composition/sign-out.dom.test.tsx',
            ...(SOAK ? SOAK_ON_REACT_18 : []),
          ],
          server: { deps: { inline: [/@testing-library/] } },
        },
      },
      ...(SOAK
        ? [
            {
              extends: true as const,
              // As in the build for hosts without React.
              resolve: { alias: WITHOUT_REACT },
              test: { name: 'without-react', environment: 'happy-dom', include: [...SOAK_WITHOUT_REACT] },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'package',
          environment: 'node',
          isolate: false,
          include: ['tests/package/**/*.test.ts'],
          globalSetup: ['./tests/package/pack.ts', './provider/tests/kit/database-template.ts'],
        },
      },
    ],
  },
});
