import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import { PAGES } from '../pages.ts';
import { landing } from './landing.ts';
import { withSiteLinks } from './links.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Files that pages show, by the name that they have in the site. */
const PICTURES: Readonly<Record<string, string>> = {
  'widget.png': 'docs/widget.png',
  'icon.svg': 'demo/icon.svg',
};

/** Makes what VitePress reads: each document as a page, with the links of the site. */
export function writePages(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string): void => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('index.md', landing());
  for (const { slug, file } of PAGES) write(`${slug}.md`, withSiteLinks(file, read(file)));
  mkdirSync(join(folder, 'public'), { recursive: true });
  for (const [name, file] of Object.entries(PICTURES)) copyFileSync(join(ROOT, file), join(folder, 'public', name));
}
