import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const COUNTED = fileURLToPath(new URL('../../tests/gallery/counted-reload.ts', import.meta.url));

/** In the gallery a press of the button that reloads the page is counted, because a reload would end the test. */
export const countedReload: Plugin = {
  name: 'counted-reload',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/reload-page.ts') ? COUNTED : null),
};
