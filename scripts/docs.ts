/** Makes the documentation pages (`.docs/site`), which `npm start` serves at `/docs/`. */
import { join } from 'node:path';
import { build } from 'vitepress';
import { writePages } from '../site/make/write-pages.ts';
import { ROOT } from './lib/root.mjs';

await writePages(join(ROOT, '.docs/pages'));
await build(join(ROOT, 'site'));
