/**
 * Serves the built demo pages the way a careful host would: under a Content Security Policy that allows nothing inline.
 *
 * - only files that were there at the start are served, so no path leads out of the folder;
 * - `/config.json` tells the page where the provider is;
 * - binds to loopback only.
 */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { filesUnder, shown } from './lib/files.mjs';
import { listenOnLoopback } from './lib/net.mjs';
import { ROOT } from './lib/root.mjs';

export const PUBLIC_TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const policy = (provider) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    `connect-src 'self' ${provider}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Every path that is answered, with its bytes. */
function pagesOf(dir) {
  const pages = new Map();
  for (const file of filesUnder(dir)) {
    const name = `/${shown(dir, file)}`;
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const page = { type, body: readFileSync(file), lasting: name.includes('/assets/') };
    pages.set(name, page);
    if (name.endsWith('.html')) pages.set(name.replace(/(?:\/index)?\.html$/, '') || '/', page);
  }
  return pages;
}

/**
 * @param {{ port: number, providerUrl: string, appUrl?: string, dir?: string }} options port 0 picks a free one
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveDemo({ port, providerUrl, appUrl, dir = join(ROOT, '.demo') }) {
  const pages = pagesOf(dir);
  const config = JSON.stringify({ provider: providerUrl, publicToken: PUBLIC_TOKEN, app: appUrl });
  pages.set('/config.json', { type: TYPES['.json'], body: Buffer.from(config), lasting: false });
  if (!pages.has('/favicon.ico'))
    pages.set('/favicon.ico', { type: TYPES['.svg'], body: Buffer.from(ICON), lasting: false });

  const server = await listenOnLoopback((request, response) => {
    const send = (status, { type, body, lasting }) => {
      response.writeHead(status, {
        'Content-Type': type,
        'Content-Length': body.length,
        'Content-Security-Policy': policy(providerUrl),
        // What the policy says of frames, for browsers that know this alone (RFC 7034).
        'X-Frame-Options': 'DENY',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'no-store',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const plain = (text) => ({ type: 'text/plain; charset=utf-8', body: Buffer.from(text), lasting: false });
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, plain('Method not allowed'));
    const page = pages.get((request.url ?? '/').split('?')[0]);
    return page ? send(200, page) : send(404, plain('Not found'));
  }, port);
  return { url: `http://localhost:${server.port}`, close: server.close };
}

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 15V8a5 5 0 0 1 10 0v7z"/></svg>';
