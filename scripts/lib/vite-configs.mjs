/**
 * What is built from what, for Vite.
 *
 * Output depends on the sources alone: no absolute paths, no clock, the same bytes every time.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { demoPages, sharedMarkup } from './demo-pages.mjs';
import { ROOT } from './root.mjs';
import { runnerGlobals } from './runner-globals.mjs';

const at = (path) => join(ROOT, path);
const pkg = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const isExternal = (id) =>
  [...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies)].some(
    (name) => id === name || id.startsWith(`${name}/`),
  );

const common = { root: ROOT, configFile: false, logLevel: 'warn', mode: 'production', publicDir: false };

/** Each npm entry and its source. An entry that has no source yet is left out of the build, and the pack test says so. */
export const ENTRIES = {
  index: 'src/composition/index.ts',
  headless: 'src/composition/headless.ts',
  react: 'src/composition/react.tsx',
  adapters: 'src/composition/adapters.ts',
  testing: 'src/composition/testing.ts',
  compat: 'src/composition/compat/compat.ts',
  'compat/vanilla': 'src/composition/compat/vanilla.ts',
  'compat/headless': 'src/composition/compat/headless.ts',
};

/** A host page may be in any charset; a script of ASCII alone means the same in all of them. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    const escape = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escape);
    }
  },
};

/** For the size gate, which looks into what was built; they stay out of the tarball, and no file names them. */
const MAPS = 'hidden';

/** The npm entries: readable, dependencies and peers left to the host's bundler. */
export function entriesConfig() {
  const entry = Object.fromEntries(Object.entries(ENTRIES).filter(([, source]) => existsSync(at(source))));
  return {
    ...common,
    plugins: [react(), runnerGlobals],
    build: {
      target: 'es2022',
      outDir: at('dist'),
      emptyOutDir: false,
      sourcemap: MAPS,
      minify: false,
      cssMinify: 'lightningcss',
      lib: {
        entry: Object.fromEntries(Object.entries(entry).map(([name, source]) => [name, at(source)])),
        formats: ['es'],
      },
      rolldownOptions: {
        external: isExternal,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          preserveModules: true,
          preserveModulesRoot: at('src'),
          // Frameworks that render on a server run these components in the browser alone.
          banner: ({ fileName }) => (['react.js', 'compat.js'].includes(fileName) ? "'use client';" : ''),
        },
      },
    },
  };
}

/**
 * The build for hosts without React: everything inside, preact/compat in React's place.
 *
 * @param {ReadonlySet<string> | null} core the modules that a page needs at its start, which go into one chunk
 */
export function standaloneConfig(core) {
  const preact = { react: 'preact/compat', 'react-dom': 'preact/compat', 'react-dom/client': 'preact/compat/client' };
  const runtimes = { 'react/jsx-runtime': 'preact/jsx-runtime', 'react/jsx-dev-runtime': 'preact/jsx-runtime' };
  const alias = Object.entries({ ...preact, ...runtimes });
  const groups = core === null ? {} : { codeSplitting: { groups: [{ name: 'core', test: (id) => core.has(id) }] } };
  return {
    ...common,
    plugins: [react(), asciiOnly],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: alias.map(([find, replacement]) => ({ find: new RegExp(`^${find}$`), replacement })) },
    build: {
      target: 'es2022',
      outDir: at('dist'),
      emptyOutDir: false,
      write: core !== null,
      sourcemap: MAPS,
      minify: 'oxc',
      lib: { entry: at(ENTRIES.index), formats: ['es'] },
      rolldownOptions: {
        output: {
          minify: true,
          entryFileNames: 'standalone.js',
          chunkFileNames: 'chunks/standalone-[name]-[hash].js',
          ...groups,
        },
      },
    },
  };
}

/** The modules that a page needs at its start: all that the entry imports statically. */
export function modulesAtStart(output) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const atStart = new Set();
  const visit = (chunk) => {
    for (const id of chunk.moduleIds) atStart.add(id);
    for (const name of chunk.imports) if (chunks.has(name)) visit(chunks.get(name));
  };
  for (const chunk of chunks.values()) if (chunk.isEntry) visit(chunk);
  return atStart;
}

/** The provider as one file for Node, and what its threads run as another; its packages stay packages. */
export function serverConfig() {
  return {
    ...common,
    ssr: { external: true },
    build: {
      ssr: true,
      outDir: at('.server'),
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      rolldownOptions: {
        input: {
          main: at('provider/src/main.ts'),
          'strength-worker': at('provider/src/passwords/strength-worker.mjs'),
        },
        output: {
          // The name by which a thread is started in the sources, too.
          entryFileNames: ({ name }) => (name === 'strength-worker' ? '[name].mjs' : '[name].js'),
        },
      },
    },
  };
}

/** The gallery: every fixture of the tests, from the sources. Served beside the demo, at `/gallery`. */
export function galleryConfig() {
  return {
    ...common,
    root: at('tests/gallery'),
    base: '/gallery/',
    plugins: [react()],
    build: {
      target: 'es2022',
      outDir: at('.demo/gallery'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  };
}

/** Apps of the reference client whose import path alone was changed, over the built entries. Served beside the demo. */
export function compatConfig() {
  return {
    ...common,
    root: at('tests/compat'),
    base: '/compat/',
    plugins: [react()],
    resolve: { alias: [{ find: /^portico\/compat$/, replacement: at('dist/compat.js') }] },
    build: {
      target: 'es2022',
      outDir: at('.demo/compat'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['vanilla-5', 'react-6'].map((name) => at(`tests/compat/${name}/index.html`)),
      },
    },
  };
}

/** The demo pages, over the built entries: what a newcomer sees is what a host would install. */
export function demoConfig() {
  const built = {
    portico: 'index',
    ...Object.fromEntries(
      ['standalone', 'react', 'headless', 'adapters', 'testing'].map((name) => [`portico/${name}`, name]),
    ),
  };
  return {
    ...common,
    root: at('demo'),
    plugins: [react(), sharedMarkup(at('demo'))],
    resolve: {
      alias: Object.entries(built).map(([id, file]) => ({
        find: new RegExp(`^${id}$`),
        replacement: at(`dist/${file}.js`),
      })),
    },
    publicDir: existsSync(at('demo/public')) ? at('demo/public') : false,
    build: {
      target: 'es2022',
      outDir: at('.demo'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: demoPages(at('demo')) },
    },
  };
}
