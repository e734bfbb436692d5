/** Serves the documentation pages under `/docs/`; until they are built, a notice that reloads itself. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import sirv from 'sirv';
import { noSuchPage } from './lib/notice.ts';
import { ROOT } from './lib/root.mjs';
import { unbuilt } from './lib/unbuilt.ts';

/** The page that VitePress renders for unknown addresses. */
function unknownPage(site: string): string {
  try {
    return readFileSync(join(site, '404.html'), 'utf8');
  } catch {
    return noSuchPage();
  }
}

/**
 * @param built settles when the pages are built, or could not be
 */
export function docsHandler(built: Promise<void>, dir = '.docs/site'): RequestListener {
  const waiting = unbuilt('Documentation', built);
  const site = resolve(ROOT, dir);
  const files = sirv(site, { dev: true, etag: true, gzip: true });
  return (request, response) => {
    const answer = (status: number, body: string): void =>
      void response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
    const path = (request.url ?? '').slice('/docs'.length);
    const instead = waiting();
    if (path === '') response.writeHead(308, { Location: '/docs/' }).end();
    else if (instead) answer(instead.status, instead.page);
    else {
      if (path.startsWith('/assets/')) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      // Browsers show a text, where they would download Markdown.
      if (/\.(?:md|txt)(?:\?|$)/u.test(path)) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      request.url = path;
      // Range requests are ignored: pages need none, and an impossible range (`bytes=5-2`) would make sirv end the process.
      delete request.headers.range;
      // sirv always responds with status 200 for a file.
      files(request, response, () => answer(404, unknownPage(site)));
    }
  };
}
