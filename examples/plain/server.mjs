/** Serves the page under a strict policy, and the package's files beside it. No build is needed. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const port = Number(process.env.PORT ?? 8080);
const apiUrl = process.env.PORTICO_API_URL ?? 'http://localhost:4100';
const pages = fileURLToPath(new URL('./public', import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  `connect-src ${apiUrl}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const page = readFileSync(join(pages, 'index.html'), 'utf8').replace('http://localhost:4100', apiUrl);
const packageFolder = dirname(fileURLToPath(import.meta.resolve('portico/package.json')));
const files = sirv(pages);
const vendor = sirv(join(packageFolder, 'dist/script'));

const server = createServer((request, response) => {
  // An impossible range (`bytes=9-1`) would make sirv end the process, and pages need none.
  delete request.headers.range;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const notFound = () => response.writeHead(404).end();
  if (request.url === '/') return response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  if (!request.url?.startsWith('/vendor/portico/')) return files(request, response, notFound);
  request.url = request.url.slice('/vendor/portico'.length);
  return vendor(request, response, notFound);
});

server.listen(port, 'localhost', () => console.log(`Listening on http://localhost:${port}`));
