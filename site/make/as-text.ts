/**
 * The documentation as text, for assistants and scripts: `llms.txt` with the list of all pages (https://llmstxt.org), `llms-full.txt` with all
 * guides in one file, and a `.md` file beside each page.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import { apiReference } from '../api/reference.ts';
import { PAGE_GROUPS } from '../pages.ts';
import { TOPICS } from '../topics.ts';
import { siteLink, withLinks } from './links.ts';
import { BASE } from './write-pages.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A link of the site as a link to its text: `/people#erase` becomes `/docs/people.md#erase`. */
export function textLink(target: string): string {
  const [, path = '', hash = ''] = /^\/([^#]*)(#.*)?$/u.exec(target) ?? [];
  if (!target.startsWith('/') || target.startsWith('//')) return target;
  if (/\.(?:png|svg|webp)$/u.test(path)) return `${BASE}${path}`;
  return `${BASE}${path === '' || path.endsWith('/') ? `${path}index` : path}.md${hash}`;
}

const INTRODUCTION = `# Portico

> An embeddable sign-in widget and authentication client for the browser, with or without React, and a server that you can host yourself. It works
> with the hosted service of the public \`/sdk/v1\` API, too.

- Imports begin with \`portico\`: \`portico/react\`, \`portico/standalone\`, \`portico/headless\`, \`portico/server\`, \`portico/testing\`.
- Without an account: \`npm start\` in a clone of the repository runs a provider at \`http://localhost:4100\`, and serves the package at
  \`http://localhost:3000/portico.tgz\`. The package of this name in the npm registry is unrelated.
- The public token may be in a page. A project's secret belongs on a server.
- Each error of the server has a page at \`/errors/\` and its type, such as \`http://localhost:4100/errors/invalid_domain\`, with its field and its
  remedy. [Which address is refused, and where to register it](${BASE}getting-started.md#when-an-address-is-refused)
- [All guides in one file](${BASE}llms-full.txt)
`;

/** The texts by the names of their files below the site. */
export function textFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { slug, file } of PAGE_GROUPS.flatMap(({ pages }) => pages)) {
    files.set(
      `${slug}.md`,
      withLinks(read(file), (target) => textLink(siteLink(file, target))),
    );
  }
  const guides = [...files.values()];
  const reference = apiReference().pages.map(({ slug, label, markdown }) => {
    files.set(`api/${slug}.md`, withLinks(markdown, textLink));
    return `- [${label}](${BASE}api/${slug}.md)`;
  });
  const groups = PAGE_GROUPS.map(({ title, pages }) => {
    const lines = pages.map(({ slug, label }) => `- [${label}](${BASE}${slug}.md): ${TOPICS[slug]}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  files.set('llms.txt', [INTRODUCTION, ...groups, `## API reference\n\n${reference.join('\n')}\n`].join('\n'));
  files.set('llms-full.txt', guides.join('\n\n---\n\n'));
  return files;
}

export function writeTextFiles(site: string): void {
  for (const [name, text] of textFiles()) {
    mkdirSync(dirname(join(site, name)), { recursive: true });
    writeFileSync(join(site, name), text);
  }
}
