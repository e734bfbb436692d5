/** Serves the built documentation with the dev server (`npm run dev`); stale pages are built on the first request. */
import type { Plugin } from 'vite';
import { ensureBuilt } from '../lib/steps.ts';
import { docsHandler } from '../serve-docs.ts';

export function devDocs(): Plugin {
  return {
    name: 'dev-docs',
    apply: 'serve',
    configureServer({ middlewares, config }) {
      let handler: ReturnType<typeof docsHandler> | null = null;
      middlewares.use((request, response, next) => {
        if (!/^\/docs(?:[/?]|$)/u.test(request.url ?? '')) {
          next();
          return;
        }
        if (handler === null) {
          const built = ensureBuilt(['types', 'docs'], (line) => config.logger.info(`  ${line}`));
          built.catch((error: unknown) => config.logger.error(String(error)));
          handler = docsHandler(built);
        }
        handler(request, response);
      });
    },
  };
}
