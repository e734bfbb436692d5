/** Serves the gallery from its sources with the dev server (`npm run dev`): it has a separate root and base. */
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin, type UserConfig, type ViteDevServer } from 'vite';

const BASE = '/gallery/';
const COUNTED = fileURLToPath(new URL('../../tests/gallery/counted-reload.ts', import.meta.url));

/** In the gallery a press of the button that reloads the page is counted, because a reload would end the test. */
export const countedReload: Plugin = {
  name: 'counted-reload',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/reload-page.ts') ? COUNTED : null),
};

export function devGallery(config: UserConfig): Plugin {
  return {
    name: 'dev-gallery',
    apply: 'serve',
    configureServer({ middlewares, httpServer }) {
      let server: Promise<ViteDevServer> | null = null;
      middlewares.use((request, response, next) => {
        const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
        if (`${pathname}/` === BASE) request.url = `${BASE}${search}`;
        if (!request.url?.startsWith(BASE)) {
          next();
          return;
        }
        const own = { middlewareMode: true, ...(httpServer && { hmr: { server: httpServer } }) } as const;
        server ??= createServer({ ...config, configFile: false, appType: 'mpa', server: own });
        server.then((gallery) => gallery.middlewares(request, response, next), next);
      });
      httpServer?.once('close', () => void server?.then(async (gallery) => gallery.close()));
    },
  };
}
