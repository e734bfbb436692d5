import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import { apiReference } from '../api/reference.ts';
import { configurationPage } from './configuration.ts';
import { PAGES } from '../pages.ts';
import { landing } from './landing.ts';
import { withSiteLinks } from './links.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Files that pages show, by their name alone. */
const PICTURES: readonly string[] = [
  'demo/icon.svg',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => /\.(?:png|webp)$/u.test(name))
    .map((name) => `docs/${name}`),
];

/** The part of the API reference that VitePress' configuration needs. */
export const API_DATA = 'api/data.json';

/** Writes the input of VitePress: each document as a page, with the links of the site. */
/** The path that the site is served below. */
export const BASE = '/docs/';

export function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string): void => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('index.md', landing());
  // The page of the configuration is generated separately, with examples.
  for (const { slug, file } of PAGES.filter((page) => page.slug !== 'configuration'))
    write(`${slug}.md`, withSiteLinks(file, read(file)));
  const { pages, links, exported } = apiReference();
  write('configuration.md', configurationPage(BASE, exported));
  for (const { slug, markdown } of pages) write(`api/${slug}.md`, markdown);
  write(API_DATA, JSON.stringify({ links, pages: pages.map(({ slug, label }) => ({ slug, label })) }));
  mkdirSync(join(folder, 'public'), { recursive: true });
  for (const file of PICTURES) copyFileSync(join(ROOT, file), join(folder, 'public', basename(file)));
}
