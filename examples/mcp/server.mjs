import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpGuard } from 'portico/server/mcp';
import { z } from 'zod';

const text = (said) => ({ content: [{ type: 'text', text: said }] });

/** The tools, for one request. `authInfo` is the token that the guard let pass. */
function notesServer(notes) {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const of = ({ authInfo }) => notes.get(authInfo.extra.userId) ?? [];
  server.registerTool('list_notes', { description: 'Lists your notes' }, (context) => text(of(context).join('\n')));
  server.registerTool(
    'add_note',
    { description: 'Adds a note', inputSchema: { note: z.string().max(1000) } },
    ({ note }, context) => {
      notes.set(context.authInfo.extra.userId, [...of(context), note]);
      return text('Added.');
    },
  );
  return server;
}

/**
 * An Express app with an MCP server at `resource` that takes only tokens of `issuer` for it.
 *
 * @param {Partial<import('portico/server/mcp').McpGuardOptions> & { issuer: string, resource: string }} options
 */
export function createApp(options) {
  const guard = createMcpGuard({ scopes: ['notes:read'], tools: { add_note: ['notes:write'] }, ...options });
  const notes = new Map();
  const app = express();
  app.use(express.json(), guard.express);
  const answer = async (request, response) => {
    // Without sessions each request has its own server and transport.
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    const server = notesServer(notes);
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  };
  const { pathname } = new URL(options.resource);
  app.post(pathname, (request, response) => answer(request, response));
  // Without sessions there is neither a stream to open nor a session to end.
  app.all(pathname, (_request, response) => {
    response.status(405).set('Allow', 'POST').end();
  });
  return app;
}

/** The page to which the provider sends people: `idp.authorization_url` of the project file. */
export function authorizationPage(apiUrl) {
  const here = dirname(fileURLToPath(import.meta.url));
  const page = express.Router();
  const portico = dirname(fileURLToPath(import.meta.resolve('portico/package.json')));
  page.get('/authorize', (_request, response) => response.sendFile('authorize.html', { root: join(here, 'public') }));
  page.get('/settings', (_request, response) => response.json({ apiUrl }));
  page.use('/vendor/portico', express.static(join(portico, 'dist/script')));
  page.use(express.static(join(here, 'public')));
  return page;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 8080);
  const issuer = process.env.PORTICO_API_URL ?? 'http://localhost:4100';
  // Before the guard, which is for every path.
  const site = express().use(
    authorizationPage(issuer),
    createApp({ issuer, resource: `http://localhost:${port}/mcp` }),
  );
  site.listen(port, 'localhost', () => console.log(`The MCP server is at http://localhost:${port}/mcp`));
}
