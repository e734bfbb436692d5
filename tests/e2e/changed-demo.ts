/** The demo pages as they are, but for one thing. */
import { withoutConnection } from './forward.ts';
import { serve, type LocalServer } from '../../scripts/lib/net.ts';

interface Change {
  /** Runs before the scripts of each page. */
  readonly script?: string;
  /** Leaves out the header by which the demo's pages forbid to be stored. */
  readonly mayBeStored?: boolean;
}

export async function serveChanged(
  demoUrl: string,
  { script = '', mayBeStored = false }: Change,
): Promise<LocalServer> {
  return serve((request, response) => {
    if (request.url === '/first.js') return response.setHeader('content-type', 'text/javascript').end(script);
    return fetch(new URL(request.url ?? '/', demoUrl), { redirect: 'manual' }).then(async (reply) => {
      const headers = withoutConnection(Object.fromEntries(reply.headers));
      if (mayBeStored) delete headers['cache-control'];
      response.setHeaders(new Map(Object.entries(headers)));
      response.statusCode = reply.status;
      const body = Buffer.from(await reply.arrayBuffer());
      const isChanged = script !== '' && reply.headers.get('content-type')?.startsWith('text/html') === true;
      return response.end(
        isChanged ? body.toString().replace('<head>', '<head><script src="/first.js"></script>') : body,
      );
    });
  }, 0);
}
