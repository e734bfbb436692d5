/** Answers under `/docs/` with the documentation pages; until they are built, with a page that says so and looks again. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import sirv from 'sirv';
import { ROOT } from './lib/root.mjs';

const page = (text: string, refresh = ''): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />${refresh}
    <title>Portico documentation</title>
  </head>
  <body><main><h1>Documentation</h1><p>${text}</p></main></body>
</html>
`;
const BUILDING = page(
  'The pages are being built, which takes some seconds. This page opens them then.',
  '\n    <meta http-equiv="refresh" content="2" />',
);
const NO_SUCH_PAGE = page('There is no such page.');
const FAILED = page('The pages could not be built: the terminal of npm start says why.');

/** The page that VitePress renders for unknown addresses. */
function unknownPage(site: string): string {
  try {
    return readFileSync(join(site, '404.html'), 'utf8');
  } catch {
    return NO_SUCH_PAGE;
  }
}

/**
 * @param built settles when the pages are built, or could not be
 */
export function docsHandler(built: Promise<void>, dir = '.docs/site'): RequestListener {
  let state: 'building' | 'built' | 'failed' = 'building';
  built.then(
    () => (state = 'built'),
    () => (state = 'failed'),
  );
  const site = resolve(ROOT, dir);
  const files = sirv(site, { dev: true, etag: true });
  return (request, response) => {
    const answer = (status: number, body: string): void =>
      void response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
    const path = (request.url ?? '').slice('/docs'.length);
    if (path === '') response.writeHead(308, { Location: '/docs/' }).end();
    else if (state === 'building') answer(503, BUILDING);
    else if (state === 'failed') answer(500, FAILED);
    else {
      if (path.startsWith('/assets/')) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      request.url = path;
      // sirv answers a file with 200, whatever status was set before.
      files(request, response, () => answer(404, unknownPage(site)));
    }
  };
}
