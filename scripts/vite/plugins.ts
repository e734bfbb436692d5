/** Vite plugins of this repository. `plugins` go into every build, the dev server and the tests. */
import type { Plugin, PluginOption } from 'vite';
import { apiDescription } from './api-description.ts';
import { earlyText } from './early-script.ts';
import { importantCss } from './important-css.ts';
import { namedFolders } from './named-folders.ts';
import { widgetRem } from './widget-rem.ts';

/** Shared by vite.config.ts and vitest.config.ts. Transforms of the sources belong here. */
export const plugins: PluginOption[] = [namedFolders, importantCss, widgetRem, earlyText, apiDescription];

const RUNTIME = /rolldown-runtime-[\w-]+\.js$/;

/** rolldown puts its helpers of a few lines into a separate file, one more request; here each file has a copy. */
export const inlineRuntime: Plugin = {
  name: 'inline-runtime',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const runtime = chunks.find(({ fileName }) => RUNTIME.test(fileName));
    if (runtime === undefined) return;
    const helpers = runtime.code
      .replace(/^\/\/.*$/gm, '')
      .replace(/\s+/g, ' ')
      // A page may have added an enumerable property to every object: its own names alone are the module's.
      .replace(/\b(var [\w$]+) in ([\w$]+)\)/g, '$1 of Object.keys($2))')
      .replace(
        /export\s*\{(.*?)\};?/,
        (_, names: string) => `return {${names.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')}};`,
      );
    for (const chunk of chunks) {
      chunk.code = chunk.code.replace(
        /import\s*\{([^}]*)\}\s*from\s*["']([^"']*)["'];?/g,
        (statement, names: string, from: string) =>
          RUNTIME.test(from) ? `const {${names.replaceAll(' as ', ': ')}} = (() => {${helpers}})();` : statement,
      );
    }
    delete bundle[runtime.fileName];
  },
};

/**
 * rolldown writes `const { a } = await import(file).then((n) => n.t)`. Vite 5 and 6 take the statement for the names that are
 * needed of the file itself, and drop everything else of it, so that apps built by them fail at the first login.
 */
export const importThenMember: Plugin = {
  name: 'import-then-member',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /\bawait (import\([^()]+\))\.then\(\(([\w$]+)\) => \2\.([\w$]+)\)/g,
        '(await $1).$3',
      );
    }
  },
};

/**
 * rolldown runs a bundled CommonJS module by `(/* @__PURE__ *\/ wrapped(() => { … }))()`. Only the inner call is pure, but SWC before 1.16,
 * which minifies for Rspack and Next, drops the outer one with it: reflect-metadata would never run, and no login would start.
 */
export const impureModules: Plugin = {
  name: 'impure-modules',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(/\(\/\* @__PURE__ \*\/ (?=[\w$]+\(\(\(\) ?=> ?\{)/g, '(');
    }
  },
};

const STREAMS = /rxjs\/dist\/esm\/internal\/util\/isReadableStreamLike\.js$/u;

/** rxjs makes observables of streams of bytes, too, with helpers for older browsers. Nothing here is such a stream. */
export const withoutStreams: Plugin = {
  name: 'without-streams',
  enforce: 'pre',
  load: (id) =>
    STREAMS.test(id.replaceAll('\\', '/'))
      ? 'export const isReadableStreamLike = () => false; export const readableStreamLikeToAsyncGenerator = () => undefined;'
      : null,
};

const RUNNER = '\0runner-globals';
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test', 'vi'];
const MISSING = 'portico/testing needs a test runner with global functions, such as vitest with `globals: true`';

/**
 * A contract suite imports `describe`, `it` and `expect` from vitest; a user of `portico/testing` brings another runner.
 * So the published suites use the runner's globals, and the entry can be imported where there is no runner.
 */
export const runnerGlobals: Plugin = {
  name: 'runner-globals',
  enforce: 'pre',
  resolveId: (id) => (id === 'vitest' ? RUNNER : null),
  load: (id) =>
    id === RUNNER
      ? [
          `const missing = () => { throw new Error(${JSON.stringify(MISSING)}); };`,
          `const runner = (name) => new Proxy(function () {}, {`,
          `  apply: (_f, _this, args) => (globalThis[name] ?? missing())(...args),`,
          `  get: (_f, key) => (globalThis[name] ?? missing())[key],`,
          `});`,
          ...NAMES.map((name) => `export const ${name} = /* @__PURE__ */ runner('${name}');`),
        ].join('\n')
      : null,
};

/** Leaves the import of a module to the condition of the host: package.json's `imports` names its file. */
export const conditionalImport = (name: string, path: string): Plugin => ({
  name: 'conditional-import',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found?.id === path ? { id: name, external: true } : null;
  },
});
