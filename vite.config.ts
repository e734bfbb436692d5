/**
 * How everything here is built and served.
 *
 * `vite` serves the playground from the sources; `vite build --mode NAME` makes one of the builds below. Output depends on
 * the sources alone: no absolute paths, no clock, the same bytes every time.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, mergeConfig, type UserConfig } from 'vite';
import { demoPages, namedPages, sharedFrame } from './scripts/vite/demo-pages.ts';
import { devDocs } from './scripts/vite/dev-docs.ts';
import { countedReload, devGallery } from './scripts/vite/dev-gallery.ts';
import { devProvider } from './scripts/vite/dev-provider.ts';
import { entryFile, filesBy, ModuleGraph, standaloneFile, withCopies } from './scripts/vite/chunks.ts';
import {
  COMMAND,
  CONDITIONAL,
  entriesThatRun,
  ENTRY_NAMES,
  entryOf,
  IMPORTABLE,
  importNameOf,
  sourceOf,
  type EntryName,
} from './scripts/lib/entries.ts';
import { asciiOnly, earlyBuild } from './scripts/vite/early-script.ts';
import { loginSheet } from './scripts/vite/login-sheet.ts';
import { patientServer } from './scripts/vite/patient-server.ts';
import { scriptTag } from './scripts/vite/script-tag.ts';
import { WITHOUT_REACT } from './scripts/vite/without-react.ts';
import {
  conditionalImport,
  importThenMember,
  impureModules,
  inlineRuntime,
  plugins,
  runnerGlobals,
  withoutStreams,
} from './scripts/vite/plugins.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const { dependencies, peerDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as Manifest;
const packages = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== 'rxjs');

const exactly = (aliases: Readonly<Record<string, string>>) =>
  Object.entries(aliases).map(([find, replacement]) => ({ find: new RegExp(`^${find}$`), replacement }));

/** rxjs has its modern build under a condition of its own. */
const MODERN = ['es2015', ...defaultClientConditions];

const common: UserConfig = { root: at('.'), publicDir: false, logLevel: 'warn', plugins };

const sourcesOf = (names: readonly EntryName[]) => Object.fromEntries(names.map((name) => [name, at(sourceOf(name))]));

const firstLineOf = (name: string): string => {
  if (name === COMMAND.file) return '#!/usr/bin/env node';
  return ENTRY_NAMES.some((one) => one === name && entryOf(one).isClient === true) ? "'use client';" : '';
};

/** The npm entries: readable, dependencies and peers left to the host's bundler. */
const entries = (sources: Readonly<Record<string, string>>): UserConfig => ({
  ...common,
  plugins: [
    ...plugins,
    react(),
    runnerGlobals,
    withoutStreams,
    inlineRuntime,
    importThenMember,
    conditionalImport(CONDITIONAL.name, at(CONDITIONAL.onPage.source)),
  ],
  resolve: { conditions: MODERN },
  build: {
    target: 'es2022',
    outDir: at('dist'),
    emptyOutDir: false,
    // For the size gate, which looks into what was built; they stay out of the tarball, and no file names them.
    sourcemap: 'hidden',
    minify: false,
    cssMinify: 'lightningcss',
    lib: {
      entry: sources,
      formats: ['es'],
    },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      external: (id) => id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`)),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Frameworks that render on a server run these components in the browser alone.
        banner: ({ name, isEntry }) => (isEntry ? firstLineOf(name) : ''),
      },
    },
  },
});

const withoutReact: Pick<UserConfig, 'define' | 'resolve'> = {
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { conditions: MODERN, alias: WITHOUT_REACT },
};

/** The build for hosts without React: everything inside, Preact in React's place. */
const standalone: UserConfig = {
  ...common,
  ...withoutReact,
  plugins: [...plugins, react(), withoutStreams, asciiOnly, inlineRuntime, impureModules, scriptTag(at('dist'))],
  build: {
    target: 'es2022',
    outDir: at('dist'),
    emptyOutDir: false,
    sourcemap: 'hidden',
    minify: 'oxc',
    lib: { entry: { standalone: at(sourceOf('index')) }, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        entryFileNames: 'standalone.js',
        chunkFileNames: 'chunks/standalone-[name]-[hash].js',
      },
    },
  },
};

/** The two files of a prerendered page: the classic script that comes before the widget, and the style sheet of the default look. */
const early: UserConfig = {
  ...common,
  plugins: [...plugins, asciiOnly, loginSheet(at('dist'))],
  build: {
    ...earlyBuild,
    outDir: at('dist'),
    emptyOutDir: false,
  },
};

/** The provider as one file for Node with one before it that refuses an old Node, and what its threads run as another; its packages stay packages. */
const server: UserConfig = {
  ...common,
  ssr: { external: true },
  build: {
    ssr: true,
    outDir: at('provider/dist'),
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: at('provider/src/main.ts'),
        'strength-worker': at('provider/src/accounts/password-strength/strength-worker.mjs'),
        'migrated-worker': at('provider/src/accounts/passwords/migrated-worker.mjs'),
      },
      output: {
        // The name by which a thread is started in the sources, too.
        entryFileNames: ({ name }) => (name.endsWith('-worker') ? '[name].mjs' : '[name].js'),
        // `main` loads `program`.
        chunkFileNames: '[name].js',
      },
    },
  },
};

/**
 * The same for tests, with its packages inside: a start loads a few files instead of hundreds, which is half of its computing. The
 * engine of the embedded database and the hashes stay packages, because they load files beside them.
 */
const testServer: UserConfig = {
  ...server,
  plugins: [...plugins, patientServer],
  ssr: { noExternal: true },
  build: {
    ...server.build,
    outDir: at('provider/.test-server'),
    sourcemap: false,
    rolldownOptions: { ...server.build?.rolldownOptions, external: [/^@electric-sql\/pglite/u, /^@node-rs\/argon2/u] },
  },
};

const pageBuild = { target: 'es2022', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false };

/** The demo pages, over the built entries: what a newcomer sees is what a host would install. */
const demo: UserConfig = {
  ...common,
  root: at('demo'),
  publicDir: at('demo/public'),
  plugins: [...plugins, react(), sharedFrame(at('demo')), namedPages(at('demo'))],
  resolve: {
    alias: exactly(Object.fromEntries(IMPORTABLE.map((name) => [importNameOf(name), at(`dist/${name}.js`)]))),
  },
  build: { ...pageBuild, outDir: at('.demo'), rolldownOptions: { input: demoPages(at('demo')) } },
};

const galleryAt = (path: string, pages: readonly string[], more: UserConfig = {}): UserConfig => ({
  ...common,
  ...more,
  root: at('tests/gallery'),
  base: `/${path}/`,
  plugins: [...plugins, react(), countedReload, sharedFrame(at('demo'), '/gallery/')],
  build: {
    ...pageBuild,
    outDir: at(`.demo/${path}`),
    rolldownOptions: { input: pages.map((name) => at(`tests/gallery/${name}.html`)) },
  },
});

/** The gallery: every fixture of the tests, from the sources. Served beside the demo, at `/gallery`. */
const gallery = galleryAt('gallery', ['index', 'walk']);
const galleryWithoutReact = galleryAt('gallery/without-react', ['walk'], withoutReact);

/** Apps of the reference client whose import path alone was changed, over the built entries. Served beside the demo. */
const compat: UserConfig = {
  ...common,
  root: at('tests/compat'),
  base: '/compat/',
  plugins: [...plugins, react()],
  resolve: { alias: exactly({ 'portico/compat': at('dist/compat.js') }) },
  build: {
    ...pageBuild,
    outDir: at('.demo/compat'),
    rolldownOptions: { input: ['vanilla-5', 'react-6'].map((name) => at(`tests/compat/${name}/index.html`)) },
  },
};

/** The demo pages from the sources, with the names of the entries as tsconfig.json maps them. */
const playground = (): UserConfig => ({
  root: at('demo'),
  publicDir: at('demo/public'),
  // An address that is no page is not found, where an app of one page would answer with its first.
  appType: 'mpa',
  plugins: [
    ...plugins,
    react(),
    sharedFrame(at('demo')),
    namedPages(at('demo')),
    devGallery({ ...gallery, cacheDir: at('node_modules/.cache/portico/gallery') }),
    devDocs(),
    devProvider(),
  ],
  resolve: { tsconfigPaths: true },
  server: { host: 'localhost', port: Number(process.env['PORT'] ?? 3000) },
});

/** The module graph leaves out the entries that share no file but those of the start. */
async function entriesInFewFiles(): Promise<UserConfig> {
  const graph = await ModuleGraph.of(entries(sourcesOf(entriesThatRun('page'))));
  const copies = (name: EntryName, query: string, isShared: (id: string) => boolean = () => false) =>
    withCopies(at(sourceOf(name)), `?${query}`, isShared);
  const { onPage, onServer } = CONDITIONAL;
  const isOfStart = (id: string): boolean =>
    id.startsWith('\0') || graph.isLoadedWith('index', id) || /\/messages\/(?!en\/)\w+\/(?!factors)\w+\.ts/u.test(id);
  const sources = {
    ...sourcesOf(ENTRY_NAMES),
    [COMMAND.file]: at(COMMAND.source),
    [onPage.file]: at(onPage.source),
    [onServer.file]: at(onServer.source),
  };
  return mergeConfig(mergeConfig(entries(sources), filesBy(entryFile, graph, 'headless')), {
    plugins: [
      // Its suites share a few lines with those of the ports.
      copies('testing/flows', 'flows', (id) => !id.includes('/tests/contract/')),
      copies('adapters', 'copy', (id) => graph.isLoadedWith('headless', id)),
      // It is for development alone, so that the pages' files must be the same with it and without it.
      copies('inspector', 'inspector'),
      // A bundler takes from it what a host imports; from the file that loads on demand it would take all.
      copies('themes', 'themes'),
      // Pages without it load the same files.
      copies('bound', 'bound'),
      // What renders screens on a server loads them without the requests of a page, which are in the same files there.
      ...[at(sourceOf('prerender')), at(onServer.source)].map((path) => withCopies(path, '?rendering', isOfStart)),
      // A server loads no file of a page's, and one file for each entry.
      ...entriesThatRun('server').map((name) => copies(name, name.replace('/', '-'))),
    ],
  });
}

const BUILDS: Readonly<Record<string, () => UserConfig | Promise<UserConfig>>> = {
  entries: entriesInFewFiles,
  standalone: async () =>
    mergeConfig(standalone, filesBy(standaloneFile, await ModuleGraph.of(standalone), 'standalone')),
  early: () => early,
  server: () => server,
  'test-server': () => testServer,
  demo: () => demo,
  gallery: () => gallery,
  'gallery-without-react': () => galleryWithoutReact,
  compat: () => compat,
};

export default defineConfig(({ command, mode }) => {
  if (command === 'serve') return playground();
  const build = BUILDS[mode];
  if (build === undefined) throw new Error(`vite build --mode NAME makes one of: ${Object.keys(BUILDS).join(', ')}`);
  return build();
});
