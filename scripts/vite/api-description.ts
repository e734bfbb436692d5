import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from '../lib/root.mjs';
import { ensureBuilt } from '../lib/steps.ts';

const FILE = join(ROOT, 'provider/openapi.json');
const ID = `${FILE.replaceAll('\\', '/')}?raw`;

/** The text of `provider/openapi.json` for modules that import it. The file is made first if it is stale or missing. */
export const apiDescription: Plugin = {
  name: 'api-description',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/openapi.json?raw') ? ID : null),
  async load(id) {
    if (id !== ID) return null;
    await ensureBuilt(['description'], () => undefined);
    return `export default ${JSON.stringify(readFileSync(FILE, 'utf8'))};`;
  },
};
