/**
 * The pages of the demo for Vite: what several of them share stands in one place.
 *
 * - `<!-- include parts/head.html -->` is replaced by that file;
 * - `standalone.html` is `index.html` with the script of the build for hosts without React.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEMPLATE = 'index.html';
const TWIN = 'standalone.html';

/** Each page's name and where Vite is to read it. */
export function demoPages(dir) {
  const files = readdirSync(dir).filter((name) => name.endsWith('.html'));
  return Object.fromEntries([...files, TWIN].map((name) => [name.slice(0, -'.html'.length), join(dir, name)]));
}

const CURRENT = ' aria-current="page"';
const twinOf = (html) =>
  html
    .replace('./index.ts', './standalone.ts')
    .replace(CURRENT, '')
    .replace('href="/standalone" data-build', `$&${CURRENT}`);

export function sharedMarkup(dir) {
  const twin = join(dir, TWIN);
  return {
    name: 'shared-markup',
    enforce: 'pre',
    resolveId: (id) => (id === twin ? twin : null),
    load: (id) => (id === twin ? twinOf(readFileSync(join(dir, TEMPLATE), 'utf8')) : null),
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(/<!-- include (\S+) -->/g, (_, file) => readFileSync(join(dir, file), 'utf8').trimEnd()),
    },
  };
}
