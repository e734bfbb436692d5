import { getRequestListener } from '@hono/node-server';
import { createApp } from '#provider/operation/app.ts';
import { Connections, LIMITS } from '#provider/operation/server/connections.ts';
import { listen } from '#provider/operation/server/listen.ts';
import { withHealth } from '#provider/operation/health/listener.ts';
import { trustedProxies } from '#provider/base/http/arrival.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { HOST } from './front-proxies.ts';
import { ANY_DATABASE, makeProvider, type Provider } from './harness.ts';

/** The page of the project. */
export const PAGE = 'https://shop.example';
export const ISSUER = `https://${HOST}`;
const PROJECT = projectFrom(
  {
    issuer: ISSUER,
    origins: [PAGE],
    redirect_urls: [`${PAGE}/`],
    default_login_redirect_url: `${PAGE}/`,
    default_signup_redirect_url: `${PAGE}/`,
  },
  false,
);
/** How many searches a network may make in a minute. */
export const MOST_SEARCHES = 3;
/** Longer than any time-out in these tests: what closes is closed by the proxy. */
const KEEP_ALIVE_MS = 65_000;

/** A request as the server got it from a proxy. */
export interface ForwardedRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case; several values of a name are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ProxiedServer {
  readonly provider: Provider;
  readonly app: ReturnType<typeof createApp>;
  readonly port: number;
  /** Every request but those for readiness, in the order of arrival. */
  readonly requests: ForwardedRequest[];
  /** How many connections proxies have made. */
  connections(): number;
  close(): Promise<void>;
}

/** The provider as it runs in production behind a proxy on the same machine. */
export async function startProxiedServer(): Promise<ProxiedServer> {
  const provider = await makeProvider(ANY_DATABASE);
  const trusted = trustedProxies('127.0.0.1');
  const limits = { ...DEFAULT_LIMITS, searchesPerNetwork: { max: MOST_SEARCHES, windowMs: 60_000 } };
  const app = createApp({
    ...provider.services,
    project: PROJECT,
    limits,
    dev: false,
    loopback: true,
    proxies: trusted,
    adminSecret: 'x',
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const requests: ForwardedRequest[] = [];
  let connections = 0;
  class CountedConnections extends Connections {
    override admit(socket: Parameters<Connections['admit']>[0]): void {
      connections += 1;
      super.admit(socket);
    }
  }
  const server = await listen(
    // haproxy asks whether the server is ready before it forwards anything.
    withHealth({ failing: () => Promise.resolve([]), closing: false }, (incoming, outgoing) => {
      const headers = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, values?.join(', ')]);
      requests.push({
        method: incoming.method ?? '',
        target: incoming.url ?? '',
        headers: Object.fromEntries(headers) as ForwardedRequest['headers'],
      });
      void answer(incoming, outgoing);
    }),
    null,
    0,
    { connections: new CountedConnections(LIMITS, { proxies: trusted, keepAliveMs: KEEP_ALIVE_MS }) },
  );
  return {
    provider,
    app,
    port: server.port,
    requests,
    connections: () => connections,
    async close() {
      await server.close();
      await provider.close();
    },
  };
}
