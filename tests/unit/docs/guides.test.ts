import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { allExamples, partProblem } from './examples.ts';
import { linkProblems, linksIn } from './links.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const parts = allExamples().flatMap(({ from, ...example }) => (from === null ? [] : [{ ...example, from }]));

/** The page of each example app. */
const PAGES: Readonly<Record<string, string>> = {
  angular: 'docs/with-angular.md',
  astro: 'docs/with-astro.md',
  compose: 'docs/containers-and-phones.md',
  electron: 'docs/with-electron.md',
  embedded: 'docs/embedding.md',
  express: 'docs/with-express.md',
  expo: 'docs/with-expo.md',
  'fastify-api': 'docs/with-fastify.md',
  'hono-edge': 'docs/with-hono-at-the-edge.md',
  'command-line': 'docs/command-line-tool.md',
  mcp: 'docs/mcp-servers.md',
  'nest-api': 'docs/with-fastify.md',
  next: 'docs/with-next.md',
  'next-moved': 'docs/migrating.md',
  nuxt: 'docs/with-nuxt.md',
  'other-languages': 'docs/other-languages.md',
  plain: 'docs/strict-csp.md',
  playwright: 'docs/testing.md',
  'react-router': 'docs/with-react-router.md',
  'relying-party': 'docs/your-other-app.md',
  solid: 'docs/with-solid.md',
  svelte: 'docs/with-svelte.md',
  sveltekit: 'docs/with-sveltekit.md',
  'tanstack-start': 'docs/with-tanstack-start.md',
  vue: 'docs/with-vue.md',
};

/** The files that readers copy, so that their page shows each in one block. */
const WHOLE: readonly (readonly [page: string, file: string])[] = [
  ['docs/behind-a-proxy.md', 'provider/deploy/nginx.conf'],
  ['docs/containers-and-phones.md', 'examples/compose/compose.yaml'],
  ['docs/mcp-servers.md', 'examples/mcp/project.json'],
  ['docs/mcp-servers.md', 'examples/mcp/server.mjs'],
  ['docs/strict-csp.md', 'examples/plain/server.mjs'],
  ['docs/strict-csp.md', 'examples/plain/public/index.html'],
  ['docs/strict-csp.md', 'examples/plain/public/app.js'],
  ['docs/with-expo.md', 'examples/expo/app.json'],
  ['docs/with-expo.md', 'examples/expo/src/app.tsx'],
  ['docs/with-expo.md', 'examples/expo/src/client.ts'],
  ['docs/with-expo.md', 'examples/expo/src/device.ts'],
  ['docs/with-expo.md', 'examples/expo/src/index.ts'],
  ['docs/with-express.md', 'examples/express/server.mjs'],
  ['docs/with-express.md', 'examples/express/public/index.html'],
  ['docs/with-express.md', 'examples/express/public/app.js'],
  ['docs/with-fastify.md', 'examples/fastify-api/api.mjs'],
  ['docs/with-fastify.md', 'examples/fastify-api/page.mjs'],
  ['docs/with-fastify.md', 'examples/fastify-api/public/index.html'],
  ['docs/with-fastify.md', 'examples/fastify-api/public/app.js'],
  ['docs/with-hono-at-the-edge.md', 'examples/hono-edge/src/worker.ts'],
  ['docs/with-hono-at-the-edge.md', 'examples/hono-edge/src/page.ts'],
];

/** The scripts of a folder, without those of packages and builds. */
const sourcesIn = (folder: string): readonly { readonly file: string; readonly source: string }[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'build', 'dist', '.next'].includes(entry.name) ? [] : sourcesIn(file);
    return /\.(?:mjs|ts|tsx)$/u.test(entry.name) ? [{ file, source: read(file) }] : [];
  });

/** The import declarations of a file, or of the scripts in it. */
const importsIn = (file: string): readonly string[] => file.match(/^[ \t]*import\s[^;]*;$/gmu) ?? [];

describe('The guides of the example apps', () => {
  it('are of all apps', () => {
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(PAGES).sort());
  });

  // The package has the pages and not the apps, so a page names its folder and does not link it.
  it.each(Object.entries(PAGES))(
    '%s: its page names the folder, shows its files, and its readme links it',
    (app, page) => {
      expect(read(page)).toContain(`\`examples/${app}\``);
      expect(parts.filter((part) => part.page === page && part.from.startsWith(`examples/${app}/`))).not.toEqual([]);
      expect(linksIn(read(`examples/${app}/README.md`))).toContain(`../../${page}`);
      expect(linksIn(read('examples/README.md'))).toEqual(expect.arrayContaining([`${app}/`, `../${page}`]));
    },
  );

  it.each(parts.map((part) => [`${part.page}, line ${part.line}`, part] as const))(
    '%s: is a part of its file',
    (_where, part) => {
      expect(part.from).toMatch(/^(?:examples|provider\/deploy)\/[\w./+-]+$/u);
      expect(part.from).not.toContain('..');
      expect(partProblem(part, read(part.from))).toBeNull();
    },
  );

  it.each(WHOLE)('%s, %s: is shown whole', (page, from) => {
    const blocks = parts.filter((part) => part.page === page && part.from === from).map(({ source }) => source);
    expect(blocks).toContain(read(from));
  });

  it.each([...new Set(parts.map(({ page }) => page))])('%s: names each file, and shows its imports', (page) => {
    const prose = read(page).replaceAll(/^```[\s\S]*?^```$/gmu, '');
    const shown = parts.filter((part) => part.page === page);
    for (const from of new Set(shown.map((part) => part.from))) {
      const blocks = shown.filter((part) => part.from === from).map(({ source }) => source);
      expect(prose).toContain(`\`${from.split('/').slice(2).join('/')}\`:`);
      expect([from, importsIn(read(from)).filter((line) => !blocks.some((block) => block.includes(line)))]).toEqual([
        from,
        [],
      ]);
    }
  });

  // A proxy forwards no call with a project's secret, so a verifier with one needs another address than its page.
  it('show verifiers that call the provider at the address of their page', () => {
    const verifiers = sourcesIn('examples').filter(({ source }) => source.includes('createVerifier({'));
    expect(verifiers.length).toBeGreaterThan(5);
    expect(verifiers.filter(({ source }) => /\bsecret:/u.test(source)).map(({ file }) => file)).toEqual([]);
  });

  it('report a block that differs from its file', () => {
    const file = 'const a = 1;\nconst b = 2;\nconst c = 3;\n';
    expect(partProblem({ source: 'const b = 2;\nconst c = 3;\n' }, file)).toBeNull();
    for (const source of ['const b = 3;\n', 'const a = 1;\nconst c = 3;\n', 'b = 2;\n', ' const b = 2;\n']) {
      expect(partProblem({ source }, file)).toBe('is no part of the file that it names');
    }
    expect(partProblem({ source: '\n' }, file)).toBe('is empty');
  });

  it('and the readmes of the apps hold no dead link', () => expect(linkProblems(ROOT, 'examples')).toEqual([]));
});
