import { FastMCP, OAuthProvider, requireAuth } from 'fastmcp';
import { z } from '../clients/node_modules/zod/index.js';

const TOOL = {
  name: 'list_notes',
  description: 'Lists your notes',
  parameters: z.object({}),
};

/**
 * A server of FastMCP at a port of this machine, which passes only the tokens that the guard does.
 *
 * @param {{ guard: import('portico/server/mcp').McpGuard, port: number }} options
 */
export async function guardedServer({ guard, port }) {
  const { resource, authorization_servers, scopes_supported } = guard.metadata;
  const server = new FastMCP({
    name: 'notes',
    version: '1.0.0',
    logger: SILENT,
    oauth: {
      enabled: true,
      protectedResource: { resource, authorizationServers: authorization_servers, scopesSupported: scopes_supported },
    },
    authenticate: async ({ headers }) => {
      const verdict = await guard.authorize(headers.authorization ?? null);
      if ('auth' in verdict) return verdict.auth;
      const { status, headers: given, body } = verdict.refusal;
      // oxlint-disable-next-line typescript/only-throw-error -- the way in which FastMCP takes an answer
      throw new Response(JSON.stringify(body), { status, headers: given });
    },
  });
  server.addTool({ ...TOOL, execute: async (_given, { session }) => `Notes of ${session.extra.userId}` });
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true } });
  return server;
}

/**
 * A server of FastMCP that is itself the authorization server of its agents, and signs people in as one confidential client of the issuer.
 *
 * @param {{ issuer: string, client_id: string, client_secret: string, port: number }} options
 */
export async function proxyingServer({ issuer, client_id, client_secret, port }) {
  const server = new FastMCP({
    name: 'notes',
    version: '1.0.0',
    logger: SILENT,
    auth: new OAuthProvider({
      authorizationEndpoint: `${issuer}/oauth2/authorize`,
      tokenEndpoint: `${issuer}/oauth2/token`,
      clientId: client_id,
      clientSecret: client_secret,
      baseUrl: `http://localhost:${port}`,
      scopes: ['openid', 'email', 'offline_access'],
      consentRequired: false,
    }),
  });
  server.addTool({ ...TOOL, canAccess: requireAuth, execute: async () => 'Notes' });
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true } });
  return server;
}

const SILENT = { debug() {}, error() {}, info() {}, log() {}, warn() {} };
