import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** Writes `login.css`, the style sheet of a prerendered login in the default look, with the built entry `portico/prerender`. */
export const loginSheet = (dist: string): Plugin => ({
  name: 'login-sheet',
  async writeBundle() {
    const { loginStylesheet } = (await import(pathToFileURL(join(dist, 'prerender.js')).href)) as {
      readonly loginStylesheet: () => string;
    };
    writeFileSync(join(dist, 'login.css'), loginStylesheet());
  },
});
