/** Makes the documentation pages (`.docs/site`), which `npm start` serves at `/docs/`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { writeTextFiles } from '../site/make/as-text.ts';
import { writePages } from '../site/make/write-pages.ts';
import { ROOT } from './lib/root.mjs';

writePages(join(ROOT, '.docs/pages'));
await build(join(ROOT, 'site'));
const site = join(ROOT, '.docs/site');
writeTextFiles(site);

// Compresses the files, because every page first waits for the one style sheet of the whole site, which loads in a sixth of the time
// when compressed.
for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:html|css|js|md|txt)$/u.test(name)) continue;
  const file = join(site, name);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
}
