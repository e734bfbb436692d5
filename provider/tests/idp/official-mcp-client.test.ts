import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { SystemClock } from '../../../src/infrastructure/browser/system-clock.ts';
import { McpAgent } from '../../../tests/clients/mcp-agent.ts';
import { NextMcpAgent } from '../../../tests/clients/mcp-agent-2.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { askedIn, makeApps, PAGE, type Apps } from '../kit/idp-harness.ts';
import { listen, stop } from './oidcc/subject.ts';

const system = new SystemClock(globalThis);
const SCOPES = ['notes:read', 'notes:write'];

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
  const call = (agent: McpAgent, name: string, input: Record<string, unknown> = {}, at = notes) =>
    agent.use(at, async (client) => {
      const { content } = await client.callTool({ name, arguments: input });
      return (content as readonly { readonly text: string }[])[0]?.text;
    });

  it('registers, lists the tools, calls one, and gets more for another tool', async () => {
    const agent = new McpAgent(allow, ['authorization_code']);
    const tools = await agent.use(notes, async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect(tools).toEqual(['list_notes', 'add_note']);
    expect(agent.visits).toHaveLength(1);
    expect(agent.visits[0]?.searchParams.get('resource')).toBe(notes);
    expect(await call(agent, 'list_notes')).toBe('');
    expect(agent.visits).toHaveLength(1);

    expect(await call(agent, 'add_note', { note: 'Buy milk' })).toBe('Added.');
    expect(agent.visits).toHaveLength(2);
    expect(agent.visits[1]?.searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(SCOPES));
    expect(await call(agent, 'list_notes')).toBe('Buy milk');
    expect(agent.visits).toHaveLength(2);

    expect(agent.saved?.refresh_token).toBeUndefined();
  });

  it.each([
    ['first', 'registration', McpAgent],
    ['first', 'metadata document', McpAgent],
    ['second', 'registration', NextMcpAgent],
    ['second', 'metadata document', NextMcpAgent],
  ] as const)(
    'of the %s generation lists and calls tools by its %s, each server with a token of its own',
    async (generation, way, Agent) => {
      const agents = [new Agent(allow), new Agent(allow)] as const;
      for (const [index, agent] of agents.entries()) {
        // The client takes an https address alone for the one of its document, and passes it on as its id.
        if (way === 'metadata document') {
          const { redirect_uris, ...metadata } = agent.clientMetadata;
          agent.registered = {
            client_id: documents.publish(`/${generation}-${index}.json`, { ...metadata, redirect_uris }),
          };
        }
        const at = index === 0 ? notes : mail;
        const tools = await agent.use(at, async (client) => (await client.listTools()).tools.map(({ name }) => name));
        expect(tools).toEqual(['list_notes', 'add_note']);
        expect(await call(agent, 'list_notes', {}, at)).toEqual(expect.any(String));
        expect(agent.visits).toHaveLength(1);
        expect(agent.registered?.client_id).toMatch(way === 'registration' ? /^agent-/u : /^http:/u);
      }
      const headers = (agent: McpAgent) => ({ authorization: `Bearer ${agent.saved?.access_token ?? ''}` });
      for (const [at, agent] of [
        [mail, agents[0]],
        [notes, agents[1]],
      ] as const) {
        expect((await fetch(at, { method: 'POST', headers: headers(agent) })).status).toBe(401);
      }
    },
  );

  it('refreshes, although it never asks for offline_access', async () => {
    const agent = new McpAgent(allow);
    await call(agent, 'list_notes');
    const before = agent.saved;
    expect(before?.refresh_token).toBeDefined();
    expect(before?.scope?.split(' ').sort()).toEqual(['notes:read', 'offline_access']);
    apps.provider.clock.time += 61 * MINUTE;
    await call(agent, 'list_notes');
    expect(agent.visits).toHaveLength(1);
    expect(agent.saved?.access_token).not.toBe(before?.access_token);
    expect(agent.saved?.refresh_token).not.toBe(before?.refresh_token);
    await apps.signInAgain();
  });

  it('a token for one server is refused by the other, and by the first if it is for the other', async () => {
    const agent = new McpAgent(allow);
    await call(agent, 'list_notes');
    const token = agent.saved?.access_token ?? '';
    const of = async (server: string) =>
      fetch(server, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect([(await of(notes)).status, (await of(mail)).status]).toEqual([200, 401]);
    expect((await of(mail)).headers.get('www-authenticate')).toContain('error="invalid_token"');
    // The client asks for a token of its own for the other server.
    const other = new McpAgent(allow);
    await call(other, 'list_notes', {}, mail);
    const swapped = { headers: { authorization: `Bearer ${other.saved?.access_token ?? ''}` }, method: 'POST' };
    expect((await fetch(notes, swapped)).status).toBe(401);
    expect((await apps.userinfo(token)).status).toBe(401);
  });

  it('ends when the person takes the access back', async () => {
    const agent = new McpAgent(allow);
    await call(agent, 'list_notes');
    const id = agent.registered?.client_id ?? '';
    await apps.provider.services.db.deleteFrom('oauth_grants').where('agent_id', '=', id).execute();
    apps.provider.clock.time += 61 * MINUTE;
    await apps.signInAgain();
    await call(agent, 'list_notes');
    expect(agent.visits).toHaveLength(2);
  });
});
