/** A page with a login, and an API that identifies its caller. */
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVerifier } from 'portico/server';
import sirv from 'sirv';

const { HOST = 'localhost', PORT = '3000', PORTICO_API_URL, PORTICO_PROJECT_ID } = process.env;

const verifier = createVerifier({
  projectId: PORTICO_PROJECT_ID,
  apiUrl: PORTICO_API_URL,
  allowHttp: true, // the network of compose.yaml has only our own servers
});

const files = sirv(fileURLToPath(new URL('./public', import.meta.url)));
const script = sirv(join(dirname(fileURLToPath(import.meta.resolve('portico/package.json'))), 'dist/script'));

const send = (response, fields) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(fields));

async function sendCaller(request, response) {
  const who = await verifier.authenticateRequest(request);
  send(response, { user_id: who.status === 'signed-in' ? who.user_id : null });
}

const server = createServer((request, response) => {
  // An impossible range (`bytes=9-1`) would make sirv end the process, and pages need none.
  delete request.headers.range;
  if (request.url === '/api/settings') {
    const { PORTICO_PAGE_API_URL: apiUrl, PORTICO_PUBLIC_TOKEN: publicToken } = process.env;
    return send(response, { apiUrl, publicToken });
  }
  if (request.url === '/api/me') return void sendCaller(request, response);
  const notFound = () => response.writeHead(404).end();
  if (!request.url?.startsWith('/vendor/portico/')) return files(request, response, notFound);
  request.url = request.url.slice('/vendor/portico'.length);
  return script(request, response, notFound);
});

server.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${PORT}`));
