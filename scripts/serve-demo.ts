/**
 * Serves the built demo pages like a careful host: with a Content Security Policy that allows nothing inline. `/config.json` contains
 * the provider's address.
 */
import { resolve } from 'node:path';
import sirv from 'sirv';
import { serve, type LocalServer } from './lib/net.ts';
import { noSuchPage } from './lib/notice.ts';
import { ROOT } from './lib/root.mjs';
import { sendTarball, TARBALL_PATH } from './lib/pack-on-demand.ts';
import { sourceFiles } from './lib/source-files.ts';
import { unbuilt } from './lib/unbuilt.ts';
import { docsHandler } from './serve-docs.ts';

export const PUBLIC_TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';
const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';

/** The documentation shows the playground in a frame, and only a page of the same origin may. */
const EMBEDDED = '/embed';

const headersFor = (provider: string, { isEmbedded }: { readonly isEmbedded: boolean }): ReadonlyMap<string, string> =>
  new Map([
    [
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self' ${provider}; ` +
        // A social login may be started by a form.
        `base-uri 'none'; form-action ${provider}; frame-src 'self'; frame-ancestors ${isEmbedded ? "'self'" : "'none'"}; ` +
        `require-trusted-types-for 'script'`,
    ],
    // The policy for frames, for browsers that support only this header (RFC 7034).
    ['X-Frame-Options', isEmbedded ? 'SAMEORIGIN' : 'DENY'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cache-Control', 'no-store'],
  ]);

interface DemoOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly providerUrl: string;
  readonly appUrl?: string;
  /** Whether the front page sends a first message to an empty inbox. Default: false. */
  readonly welcome?: boolean;
  /** Whether the pages bind sessions to a key of the browser. Default: false. */
  readonly bound?: boolean;
  readonly dir?: string;
  /** Settles when the documentation pages are built. Default: they are already built. */
  readonly docs?: Promise<void>;
  /** Settles when the gallery is built. Default: it is already built. */
  readonly gallery?: Promise<void>;
  /** Packs the package for `npm install`, or returns its path. Without this function the demo offers no package. */
  readonly tarball?: () => Promise<string>;
}

export async function serveDemo({
  port,
  providerUrl,
  appUrl,
  welcome,
  bound,
  dir = '.demo',
  docs = Promise.resolve(),
  gallery = Promise.resolve(),
  tarball,
}: DemoOptions): Promise<LocalServer> {
  const config = JSON.stringify({
    provider: providerUrl,
    publicToken: PUBLIC_TOKEN,
    projectId: PROJECT_ID,
    app: appUrl,
    welcome,
    bound,
  });
  const headers = headersFor(providerUrl, { isEmbedded: false });
  const embeddedHeaders = headersFor(providerUrl, { isEmbedded: true });
  const documentation = docsHandler(docs);
  const withoutGallery = unbuilt('Gallery', gallery);
  const files = sirv(resolve(ROOT, dir), {
    // Reads the files on each request, because sirv would end the process for a file that a build has removed since the start.
    dev: true,
    setHeaders(response, path) {
      if (path.includes('/assets/')) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    },
  });
  return serve((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    // See the documentation's server for the reason.
    delete request.headers.range;
    response.setHeaders((path === EMBEDDED ? embeddedHeaders : headers) as Map<string, string>);
    const answer = (status: number, type: string, body: string): void =>
      void response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
    if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'text/plain', 'Method not allowed');
    else if (request.url === '/config.json') answer(200, 'application/json', config);
    else if (request.url === '/favicon.ico') response.writeHead(204).end();
    else if (/^\/llms(?:-full)?\.txt$/u.test(path)) response.writeHead(308, { Location: `/docs${path}` }).end();
    else if (path === '/docs' || path.startsWith('/docs/')) documentation(request, response);
    else if (path.startsWith('/files/')) sourceFiles(request, response);
    else if (tarball && path === TARBALL_PATH) void sendTarball(response, tarball);
    else {
      const instead = path.startsWith('/gallery') ? withoutGallery() : null;
      if (instead) answer(instead.status, 'text/html', instead.page);
      else files(request, response, () => answer(404, 'text/html', noSuchPage()));
    }
  }, port);
}
