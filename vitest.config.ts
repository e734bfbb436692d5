import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The same names as the `paths` of tsconfig.json: tests of the entries run on the sources. */
const entries = {
  portico: './src/composition/index.ts',
  'portico/standalone': './src/composition/index.ts',
  'portico/headless': './src/composition/headless.ts',
  'portico/react': './src/composition/react.tsx',
  'portico/adapters': './src/composition/adapters.ts',
  'portico/testing': './src/composition/testing.ts',
};

const dom = ['tests/**/*.dom.test.ts', 'tests/**/*.dom.test.tsx'];

export default defineConfig({
  resolve: {
    alias: Object.entries(entries).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: at(path) })),
  },
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // The files of one worker share its modules, none of which keeps a state: a third of the time is loading them.
          isolate: false,
          include: ['tests/unit/**/*.test.ts', 'tests/contract/**/*.test.ts', 'provider/tests/**/*.test.ts'],
          exclude: dom,
        },
      },
      { extends: true, test: { name: 'dom', environment: 'happy-dom', include: dom } },
      {
        extends: true,
        test: { name: 'package', environment: 'node', include: ['tests/package/**/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
});
