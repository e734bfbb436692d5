import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { McpAgent } from '#tests/clients/mcp-agent.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { askedIn, makeApps, PAGE, type Apps } from '../kit/idp-harness.ts';
import { callTool, mcpCases, SCOPES } from './mcp-cases.ts';
import { listen, stop } from './oidcc/subject.ts';
import { soakIt } from '#tests/soak-tests.ts';

const system = new SystemClock(globalThis);

/** The server of examples/mcp, twice, with the official client: nobody here wrote either side of the protocol. */
describe.each(EITHER_DATABASE)('the official MCP client, on %s', (_, url) => {
  let apps: Apps;
  let [notes, mail] = ['', ''];
  let documents: DocumentHost;
  const servers: Server[] = [];
  beforeAll(async () => {
    documents = await documentHost();
    const [provider, ...guarded] = await Promise.all([listen(), listen(), listen()]);
    const issuer = provider.issuer.origin;
    const [first = '', second = ''] = guarded.map((each) => `${each.issuer.origin}/mcp`);
    [notes, mail] = [first, second];
    servers.push(provider.server, ...guarded.map(({ server }) => server));
    apps = await makeApps(url, {
      issuer,
      resources: [
        { resource: notes, name: 'Notes', scopes: SCOPES },
        { resource: mail, name: 'Mail', scopes: SCOPES },
      ],
      rbac_policy: { scopes: SCOPES.map((scope) => ({ scope, description: scope })) },
      role_assignments: [],
      clients: [],
      agents: { registration: 'open', metadata_documents: true, scopes: ['openid', ...SCOPES, 'offline_access'] },
    });
    const listener = getRequestListener(apps.provider.app.fetch, { overrideGlobalObjects: false });
    provider.answer((request, response) => void listener(request, response));
    const clock = { now: () => apps.provider.clock.now(), after: system.after.bind(system) };
    guarded.forEach((each, index) => {
      const resource = index === 0 ? notes : mail;
      each.answer(createApp({ issuer, resource, adapters: { clock } }));
    });
  });
  afterAll(async () => {
    await Promise.all([...servers.map(stop), apps.provider.close(), documents.close()]);
  });

  /** The person is led to the project's page, and allows what it shows. */
  const allow = async (authorization: URL): Promise<URL> => {
    const reply = await fetch(authorization, { redirect: 'manual', headers: { accept: 'text/html' } });
    const location = new URL(reply.headers.get('location') ?? 'about:blank');
    expect(location.href.startsWith(PAGE)).toBe(true);
    const { data } = await apps.submit({ code_challenge: undefined, ...askedIn(location) });
    return new URL(String(data['redirect_uri']));
  };
  mcpCases(() => ({ notes, mail, allow, publish: documents.publish }), ['registration', 'metadata document']);

  soakIt('refreshes, although it never asks for offline_access', async () => {
    const agent = new McpAgent(allow);
    await callTool(agent, notes, 'list_notes');
    const before = agent.saved;
    expect(before?.refresh_token).toBeDefined();
    expect(before?.scope?.split(' ').sort()).toEqual(['notes:read', 'offline_access']);
    apps.provider.clock.time += 61 * MINUTE;
    await callTool(agent, notes, 'list_notes');
    expect(agent.visits).toHaveLength(1);
    expect(agent.saved?.access_token).not.toBe(before?.access_token);
    expect(agent.saved?.refresh_token).not.toBe(before?.refresh_token);
    await apps.signInAgain();
  });

  it('gives no claims of the project to a token for a server', async () => {
    const agent = new McpAgent(allow);
    await callTool(agent, notes, 'list_notes');
    expect((await apps.userinfo(agent.saved?.access_token)).status).toBe(401);
  });

  it('ends when the person takes the access back', async () => {
    const agent = new McpAgent(allow);
    await callTool(agent, notes, 'list_notes');
    const id = agent.registered?.client_id ?? '';
    await apps.provider.services.db.deleteFrom('oauth_grants').where('agent_id', '=', id).execute();
    apps.provider.clock.time += 61 * MINUTE;
    await apps.signInAgain();
    await callTool(agent, notes, 'list_notes');
    expect(agent.visits).toHaveLength(2);
  });
});
