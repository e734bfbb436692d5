/**
 * What a page downloads before the widget can start, in bytes: minified, gzip level 9.
 *
 * A small host page is bundled by Vite; what it imports statically counts, what it loads on demand is listed apart.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from '../scripts/lib/root.mjs';

const dist = (name) => join(ROOT, 'dist', name);

/** The consumers, by their name in budgets.json. */
export const CONSUMERS = {
  standalone: { file: dist('standalone.js'), takes: 'PorticoUIClient', external: [] },
  widget: { file: dist('index.js'), takes: 'PorticoUIClient', external: [] },
  widgetWithoutReact: { file: dist('index.js'), takes: 'PorticoUIClient', external: [/^react(-dom)?(\/|$)/] },
  headless: { file: dist('headless.js'), takes: 'PorticoClient', external: [] },
  compat: { file: dist('compat.js'), takes: 'StytchUIClient', external: [/^react(-dom)?(\/|$)/] },
  server: { file: dist('server.js'), takes: 'createVerifier', external: [] },
  compatHeadless: { file: dist('compat/headless.js'), takes: 'StytchHeadlessClient', external: [] },
};

const ENTRY = '\0host-page';

/** The bundle of a page that imports one client. @returns {Promise<object[]>} rolldown's chunks */
export async function bundle({ file, takes, external }) {
  const source = `import { ${takes} } from ${JSON.stringify(file)}; globalThis.client = ${takes};`;
  const { output } = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'host-page',
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: { page: ENTRY }, external, output: { minify: true } },
    },
  });
  return output.filter((one) => one.type === 'chunk');
}

/** Every module in a chunk; a chunk made of built files is seen through their source maps. */
function modulesOf(chunk) {
  return chunk.moduleIds.flatMap((id) => {
    if (!id.startsWith(join(ROOT, 'dist'))) return [id];
    return existsSync(`${id}.map`) ? [id, ...JSON.parse(readFileSync(`${id}.map`, 'utf8')).sources] : [id];
  });
}

const gzipped = (chunk) => gzipSync(chunk.code, { level: 9 }).length;

/** @returns {Promise<{ bytes: number, lazy: { name: string, bytes: number, modules: string[] }[], modules: string[] }>} */
export async function measure(consumer) {
  const chunks = await bundle(consumer);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const atStart = new Set();
  const add = (chunk) => {
    if (!chunk || atStart.has(chunk)) return;
    atStart.add(chunk);
    for (const name of chunk.imports) add(byName.get(name));
  };
  add(chunks.find((chunk) => chunk.isEntry));
  return {
    bytes: [...atStart].reduce((sum, chunk) => sum + gzipped(chunk), 0),
    lazy: chunks
      .filter((chunk) => !atStart.has(chunk))
      .map((chunk) => ({ name: chunk.name, bytes: gzipped(chunk), modules: modulesOf(chunk) })),
    modules: [...atStart].flatMap(modulesOf),
  };
}
