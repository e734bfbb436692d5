/**
 * The pages of the demo for Vite, with shared parts in one place.
 *
 * - `<!-- include parts/head.html -->` is replaced by that file, and links to the including page are marked as current;
 * - `<!-- fact NAME -->`, `<!-- peers -->` and `<!-- code -->` are replaced by the results of the benches and by the samples, so that
 *   the front page contains them without scripts;
 * - `standalone.html` is `index.html` with the script of the build for hosts without React.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { codeMarkup } from './code-markup.ts';
import { factsOf, peersMarkup, peerTable, type Budgets } from './bench-facts.ts';

const TEMPLATE = 'index.html';
const TWIN = 'standalone.html';

/** Each page's name, and the path from which Vite reads it. */
export function demoPages(dir: string): Record<string, string> {
  const files = readdirSync(dir).filter((name) => name.endsWith('.html'));
  return Object.fromEntries([...files, TWIN].map((name) => [name.slice(0, -'.html'.length), join(dir, name)]));
}

/** The generated content of the markup, read again for each page, so that the dev server follows changes. */
function madeMarkup(root: string): (what: string) => string {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const table = peerTable(read('README.md'));
  const facts = factsOf(table, JSON.parse(read('bench/budgets.json')) as Budgets);
  return (what) => {
    if (what === 'peers') return peersMarkup(table);
    if (what === 'code') return codeMarkup();
    const fact = facts[what.slice('fact '.length)];
    if (fact === undefined) throw new Error(`The front page asks for ${what}, and there is none.`);
    return fact;
  };
}

/** A part may include others. */
const withParts = (html: string, dir: string): string =>
  html.replace(/<!-- include (\S+) -->/gu, (_, file: string) =>
    withParts(readFileSync(join(dir, file), 'utf8').trimEnd(), dir),
  );

/** Fills in the shared parts of the project's pages. `base` is the path below which they are served. */
export function sharedFrame(dir: string, base = '/'): Plugin {
  return {
    name: 'shared-frame',
    enforce: 'pre',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        const made = madeMarkup(join(dir, '..'));
        const whole = withParts(html, dir).replace(/<!-- (peers|code|fact \w+) -->/gu, (_, what: string) => made(what));
        const here = base === '/' ? path.replace(/(?:index)?\.html$/u, '') : base;
        return whole.replace(`<a href="${here}">`, `<a href="${here}" aria-current="page">`);
      },
    },
  };
}

/** The demo's own pages: their twin, and their names without an extension. */
export function namedPages(dir: string): Plugin {
  const twin = join(dir, TWIN);
  const twinHtml = (): string => readFileSync(join(dir, TEMPLATE), 'utf8').replace('./index.ts', './standalone.ts');
  const pages = demoPages(dir);
  return {
    name: 'named-pages',
    enforce: 'pre',
    resolveId: (id) => (id === twin ? twin : null),
    load: (id) => (id === twin ? twinHtml() : null),
    // The dev server treats a path without an extension as a script, and there is `reset.ts` next to `reset.html`.
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
        const name = pathname.slice(1);
        const [, page = ''] = /^\/([\w-]+)\/$/u.exec(pathname) ?? [];
        // A page's relative URLs resolve next to it, so its path must not end with a slash.
        if (Object.hasOwn(pages, page)) {
          response.writeHead(308, { Location: `/${page}${search}` }).end();
          return;
        }
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
