import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Check, Health } from './health.ts';

/**
 * Answers `/healthz` (the process runs) and `/readyz` (it can serve) before anything else is checked, because load balancers and container
 * platforms send neither a token nor a host that this server knows. `/readyz?only=closing` fails only when the server is about to stop
 * listening. It is for proxies that notice failures by the requests that they send.
 *
 * @param next answers all other requests
 */
export function withHealth(health: Pick<Health, 'failing' | 'closing'>, next: RequestListener): RequestListener {
  return (request, response) => {
    const [path, query] = (request.url ?? '').split('?');
    if (path === '/healthz') reply(request, response, 200, { status: 'ok' });
    else if (path === '/readyz' && query === 'only=closing')
      verdict(health.closing ? ['stopping'] : [], request, response);
    else if (path === '/readyz') void ready(health, request, response);
    else next(request, response);
  };
}

async function ready(health: Pick<Health, 'failing'>, request: IncomingMessage, response: ServerResponse) {
  verdict(await health.failing(), request, response);
}

function verdict(failing: readonly Check[], request: IncomingMessage, response: ServerResponse): void {
  if (failing.length === 0) reply(request, response, 200, { status: 'ok' });
  else reply(request, response, 503, { status: 'unavailable', failing });
}

function reply({ method = '' }: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (method === 'GET' || method === 'HEAD') response.writeHead(status, headers).end(JSON.stringify(body));
  else response.writeHead(405, { Allow: 'GET, HEAD' }).end();
}
