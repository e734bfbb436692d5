import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { exportJWK } from 'jose';
import type { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { FollowingBrowser } from '../kit/following-browser.ts';
import { rsaKey } from '../kit/foreign-provider.ts';
import { mcpCases, SCOPES } from './mcp-cases.ts';
import { listen, stop } from './oidcc/subject.ts';

/** Where the documents are said to be: the oracle takes https addresses alone. */
const DOCUMENTS = 'https://agents.example';

/** The cases of `official-mcp-client.test.ts`, with the guard, at a provider that nobody here wrote. */
describe('the official MCP client, at oidc-provider, which is certified', () => {
  let [notes, mail] = ['', ''];
  let issuer: URL;
  let documents: DocumentHost;
  const servers: Server[] = [];
  beforeAll(async () => {
    documents = await documentHost();
    const [op, ...guarded] = await Promise.all([listen(), listen(), listen()]);
    ({ issuer } = op);
    const [first = '', second = ''] = guarded.map((each) => `${each.issuer.origin}/mcp`);
    [notes, mail] = [first, second];
    servers.push(op.server, ...guarded.map(({ server }) => server));
    const key = { ...(await exportJWK(await rsaKey('first'))), kid: 'first', alg: 'RS256', use: 'sig' };
    // It warns of its storage in memory, and of features that are drafts.
    const warnings = (['warn', 'info'] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
    const { Provider: Foreign } = await import('oidc-provider');
    const provider = new Foreign(issuer.origin, {
      jwks: { keys: [key] },
      scopes: ['openid', 'offline_access', ...SCOPES],
      cookies: { keys: ['cookies of the oracle'] },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, audience: string) => ({
            audience,
            scope: SCOPES.join(' '),
            accessTokenFormat: 'jwt',
          }),
        },
      },
      fetch: async (url: string | URL, { dispatcher: _own, ...init }: RequestInit & { dispatcher?: unknown }) =>
        fetch(String(url).replace(DOCUMENTS, documents.origin), init),
      interactions: { url: () => '/choose' },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      ttl: {
        AccessToken: 3600,
        AuthorizationCode: 60,
        Grant: 3600,
        Interaction: 3600,
        RefreshToken: 3600,
        Session: 3600,
      },
    });
    for (const warning of warnings) warning.mockRestore();
    const callback = provider.callback();
    op.answer((request, response) => {
      if (request.url?.startsWith('/choose') === true) void choose(provider, request, response);
      else callback(request, response);
    });
    guarded.forEach((each, index) => {
      const resource = index === 0 ? notes : mail;
      each.answer(createApp({ issuer: issuer.origin, resource, jwksUrl: `${issuer.origin}/jwks` }));
    });
  });
  afterAll(async () => {
    await Promise.all([...servers.map(stop), documents.close()]);
  });

  /** The person's browser goes as far as the agent's address, where nothing listens. */
  const allow = async (authorization: URL): Promise<URL> => {
    const browser = new FollowingBrowser();
    for (let next = authorization; ;) {
      // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
      const reply = await browser.send(next);
      const location = reply.headers.get('location');
      // oxlint-disable-next-line no-await-in-loop
      if (location === null) throw new Error(`a page at ${next.href}: ${await reply.text()}`);
      next = new URL(location, next);
      if (next.origin !== issuer.origin) return next;
    }
  };
  const publish = (path: string, metadata: object): string => {
    documents.publish(path, { ...metadata, client_id: `${DOCUMENTS}${path}` });
    return `${DOCUMENTS}${path}`;
  };
  // It keeps a client to the scopes with which it registered.
  mcpCases(() => ({ notes, mail, allow, publish }), ['metadata document']);
});

/** The page that asks: its person logs in, and allows all that is asked. */
async function choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = 'edith';
  const { params, prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } });
  const { client_id: clientId = '', scope = '', resource = '' } = params;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource, scope);
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
