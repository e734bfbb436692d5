/** Serves the gallery from its sources with the dev server (`npm run dev`): it has a separate root and base. */
import { createServer, type Plugin, type UserConfig, type ViteDevServer } from 'vite';

const BASE = '/gallery/';

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
