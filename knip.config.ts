import type { KnipConfig } from 'knip';
import { COMMAND, CONDITIONAL, ENTRY_NAMES, sourceOf } from './scripts/lib/entries.ts';
import { PRODUCT } from './scripts/lib/product.ts';

/** What is started by a name that no import leads to. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      // Its modes are no modes of a page, so that knip cannot run it.
      vite: false,
      entry: [
        'vite.config.ts',
        ...ENTRY_NAMES.map(sourceOf),
        COMMAND.source,
        CONDITIONAL.onServer.source,
        // A page loads it by the name of its file.
        'src/composition/early.ts',
        // The script-tag build puts it before its script.
        'src/composition/script-parts.ts',
        // The build without React has it in React's place.
        'src/composition/preact.ts',
        // Its exports are taken by a computed name.
        'src/composition/lazy/third-party-scripts.ts',
        'scripts/{start,test,check,bench,build,docs,pictures,compat-names,config-reference,openapi,relative-types,release,text-reference}.ts',
        // The runners load it by its path.
        'scripts/lib/run-reporter.ts',
        'bench/{bound-refreshes,client,hooked-logins,import-users,known-addresses,many-users,provider,session-checks,verifier}.ts',
        'demo/*.{html,ts}',
        // Pages load it by its path.
        'demo/public/scheme.js',
        'site/config.ts',
        'site/theme/theme.ts',
        'tests/gallery/main.tsx',
        'tests/gallery/walk-page.ts',
        'tests/compat/**/*.{ts,tsx}',
        'tests/runtimes/handler.ts',
        'tests/{checkers,clients}-soak/*.mjs',
        // A project of Playwright only where WebKit is installed.
        'tests/webkit/*.spec.ts',
      ],
      project: [
        ...PRODUCT.filter((folder) => !folder.startsWith('provider/')).map((folder) => `${folder}/**`),
        'scripts/**',
        'bench/**',
        'demo/**',
        'examples/relying-party/**',
        'site/**',
        '!site/.vitepress/**',
        'tests/**',
        // It is a part of examples/expo while its test runs.
        '!tests/hermes/entry.js',
        '*.config.ts',
      ],
    },
    provider: {
      entry: [
        'src/main.ts',
        // They add their tables to the database's type.
        'src/**/tables.ts',
        'src/**/*-worker.mjs',
        'tests/**/*.test.ts',
        'tests/**/*-worker.mjs',
        'tests/vendor/*.ts',
        'tests/kit/fill-log.ts',
        'tests/kit/folder-holder.ts',
        'tests/kit/start-all.ts',
        'tests/kit/light-hash-parameters.ts',
        'tests/kit/long-transaction-limit.ts',
      ],
      project: ['src/**', 'tests/**'],
    },
    // It names packages of the root.
    'scripts/start': { ignoreDependencies: [/./] },
    'tests/react-18': { ignoreDependencies: [/^react/] },
  },
  ignoreDependencies: [
    // A peer that inversify imports, and what stands in for React by an alias.
    'reflect-metadata',
    'preact',
    // Started by the path of its script.
    /^oxlint/,
    // The example apps build with them: each is a project of its own.
    'react-router',
    '@vitejs/plugin-vue',
    '@sveltejs/vite-plugin-svelte',
  ],
  // The build makes it.
  ignoreUnresolved: [/openapi\.json\?raw$/],
  ignoreBinaries: ['apt-get', 'mount', 'openssl', 'promtool', 'systemd-analyze', 'umount'],
  ignoreExportsUsedInFile: true,
  // Tests and the demo share the provider's packages.
  rules: { unlisted: 'off' },
};

export default config;
