/**
 * The pages of the demo for Vite: what several of them share stands in one place.
 *
 * - `<!-- include parts/head.html -->` is replaced by that file;
 * - `standalone.html` is `index.html` with the script of the build for hosts without React.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const TEMPLATE = 'index.html';
const TWIN = 'standalone.html';
const CURRENT = ' aria-current="page"';

/** Each page's name and where Vite is to read it. */
export function demoPages(dir: string): Record<string, string> {
  const files = readdirSync(dir).filter((name) => name.endsWith('.html'));
  return Object.fromEntries([...files, TWIN].map((name) => [name.slice(0, -'.html'.length), join(dir, name)]));
}

export function sharedMarkup(dir: string): Plugin {
  const twin = join(dir, TWIN);
  const twinHtml = (): string =>
    readFileSync(join(dir, TEMPLATE), 'utf8')
      .replace('./index.ts', './standalone.ts')
      .replace(CURRENT, '')
      .replace('href="/standalone" data-build', `$&${CURRENT}`);
  const pages = demoPages(dir);
  return {
    name: 'shared-markup',
    enforce: 'pre',
    resolveId: (id) => (id === twin ? twin : null),
    load: (id) => (id === twin ? twinHtml() : null),
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(/<!-- include (\S+) -->/g, (_, file: string) => readFileSync(join(dir, file), 'utf8').trimEnd()),
    },
    // The dev server takes a path without an extension for a script, and `reset.ts` stands beside `reset.html`.
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
        const name = pathname.slice(1);
        if (name === 'standalone') {
          server
            .transformIndexHtml('/standalone.html', twinHtml())
            .then((html) => response.setHeader('Content-Type', 'text/html').end(html), next);
          return;
        }
        if (Object.hasOwn(pages, name)) request.url = `/${name}.html${search}`;
        next();
      });
    },
  };
}
