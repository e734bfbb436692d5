/**
 * Serves the built demo pages the way a careful host would: under a Content Security Policy that allows nothing inline.
 *
 * - only files that were there at the start are served, so no path leads out of the folder;
 * - `/config.json` tells the page where the provider is;
 * - binds to loopback only.
 */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { filesUnder, shown } from './lib/files.ts';
import { listenOnLoopback } from './lib/net.ts';
import { ROOT } from './lib/root.mjs';

export const PUBLIC_TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';

const TYPES: Readonly<Record<string, string>> = {
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

const policy = (provider: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    `connect-src 'self' ${provider}`,
    "base-uri 'none'",
    // A social login may be started by a form.
    `form-action ${provider}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

interface Page {
  readonly type: string;
  readonly body: Buffer;
  readonly lasting: boolean;
}

const page = (extension: string, body: Buffer, lasting = false): Page => ({
  type: TYPES[extension] ?? 'application/octet-stream',
  body,
  lasting,
});

/** Every path that is answered, with its bytes. */
function pagesOf(dir: string): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const file of filesUnder(dir)) {
    const name = `/${shown(dir, file)}`;
    const found = page(extname(file), readFileSync(file), name.includes('/assets/'));
    pages.set(name, found);
    if (name.endsWith('.html')) pages.set(name.replace(/(?:\/index)?\.html$/, '') || '/', found);
  }
  return pages;
}

interface DemoOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly providerUrl: string;
  readonly appUrl?: string;
  readonly dir?: string;
}

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function serveDemo({
  port,
  providerUrl,
  appUrl,
  dir = join(ROOT, '.demo'),
}: DemoOptions): Promise<Served> {
  const pages = pagesOf(dir);
  const config = JSON.stringify({ provider: providerUrl, publicToken: PUBLIC_TOKEN, app: appUrl });
  pages.set('/config.json', page('.json', Buffer.from(config)));
  if (!pages.has('/favicon.ico')) pages.set('/favicon.ico', page('.svg', Buffer.from(ICON)));

  const server = await listenOnLoopback((request, response) => {
    const send = (status: number, { type, body, lasting }: Page): void => {
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
    const plain = (text: string): Page => ({
      type: 'text/plain; charset=utf-8',
      body: Buffer.from(text),
      lasting: false,
    });
    const answer = (path: string): [number, Page] => {
      const found = pages.get(path);
      return found === undefined ? [404, plain('Not found')] : [200, found];
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, plain('Method not allowed'));
    return send(...answer(request.url?.replace(/\?.*$/, '') ?? '/'));
  }, port);
  return { url: `http://localhost:${server.port}`, close: server.close };
}

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 15V8a5 5 0 0 1 10 0v7z"/></svg>';
