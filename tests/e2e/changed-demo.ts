/** The demo pages as they are, but for one thing. */
import type { ServerResponse } from 'node:http';
import { withoutConnection } from './forward.ts';
import { serve, type LocalServer } from '#scripts/lib/net.ts';

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
  const pass = async (path: string, response: ServerResponse): Promise<void> => {
    const reply = await fetch(new URL(path, demoUrl), { redirect: 'manual' });
    const headers = withoutConnection(Object.fromEntries(reply.headers));
    if (mayBeStored) delete headers['cache-control'];
    response.setHeaders(new Map(Object.entries(headers)));
    response.statusCode = reply.status;
    const body = Buffer.from(await reply.arrayBuffer());
    const isChanged = script !== '' && reply.headers.get('content-type')?.startsWith('text/html') === true;
    response.end(isChanged ? body.toString().replace('<head>', '<head><script src="/first.js"></script>') : body);
  };
  return serve((request, response) => {
    if (request.url === '/first.js') response.setHeader('content-type', 'text/javascript').end(script);
    else void pass(request.url ?? '/', response);
  }, 0);
}
