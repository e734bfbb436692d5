/** Serves the page's files. Any web server can: nothing here knows of users. */
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const port = Number(process.env.PORT ?? 8080);
const settings = JSON.stringify({
  apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100',
  publicToken: process.env.PORTICO_PUBLIC_TOKEN ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  notesUrl: process.env.NOTES_URL ?? 'http://localhost:8081',
});
const files = sirv(fileURLToPath(new URL('./public', import.meta.url)));
const vendor = sirv(join(dirname(fileURLToPath(import.meta.resolve('portico/package.json'))), 'dist/script'));

const server = createServer((request, response) => {
  // An impossible range (`bytes=9-1`) would make sirv end the process, and pages need none.
  delete request.headers.range;
  const notFound = () => response.writeHead(404).end();
  if (request.url === '/settings.json') return response.setHeader('Content-Type', 'application/json').end(settings);
  if (!request.url?.startsWith('/vendor/portico/')) return files(request, response, notFound);
  request.url = request.url.slice('/vendor/portico'.length);
  return vendor(request, response, notFound);
});

server.listen(port, 'localhost', () => console.log(`Listening on http://localhost:${port}`));
