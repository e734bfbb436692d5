/** Serves the build: its files, and the server for everything else. */
import { serve } from 'srvx/node';
import { serveStatic } from 'srvx/static';
import app from './dist/server/server.js';

serve({
  hostname: 'localhost',
  port: Number(process.env.PORT ?? 8080),
  middleware: [serveStatic({ dir: new URL('./dist/client', import.meta.url).pathname })],
  fetch: (request) => app.fetch(request),
});
