/** Serves the pages, which site may frame which, and the package's files. No build is needed. */
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const port = Number(process.env.PORT ?? 8080);
const settings = JSON.stringify({ apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100' });

/** The sites whose pages may show `frame.html`. */
const embedders = process.env.EMBEDDERS ?? `http://host.localhost:${port}`;

const files = sirv(fileURLToPath(new URL('./public', import.meta.url)));
const vendor = sirv(join(dirname(fileURLToPath(import.meta.resolve('portico/package.json'))), 'dist/script'));

const server = createServer((request, response) => {
  const notFound = () => response.writeHead(404).end();
  const path = request.url ?? '/';
  // An impossible range (`bytes=9-1`) would make sirv end the process, and pages need none.
  delete request.headers.range;
  // A page that anybody may frame can be put under a lure: only the one that is made for it may be framed.
  response.setHeader('Content-Security-Policy', `frame-ancestors ${path === '/frame.html' ? embedders : "'none'"}`);
  if (path === '/settings.json') return response.setHeader('Content-Type', 'application/json').end(settings);
  if (!path.startsWith('/vendor/portico/')) return files(request, response, notFound);
  request.url = path.slice('/vendor/portico'.length);
  return vendor(request, response, notFound);
});

server.listen(port, 'localhost', () => console.log(`Listening on http://localhost:${port}`));
