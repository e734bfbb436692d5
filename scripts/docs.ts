/** Makes the documentation pages (`.docs/site`), which `npm start` serves at `/docs/`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { writePages } from '../site/make/write-pages.ts';
import { ROOT } from './lib/root.mjs';

writePages(join(ROOT, '.docs/pages'));
await build(join(ROOT, 'site'));

// Compresses the files, because every page first waits for the one style sheet of the whole site, which loads in a sixth of the time
// when compressed.
const site = join(ROOT, '.docs/site');
for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:html|css|js)$/u.test(name)) continue;
  const file = join(site, name);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
}
