import type { Server } from 'node:http';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { isInstalled } from '#scripts/lib/programs.ts';
import { SOAK } from '#tests/soak.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { runWatched } from '../kit/watched-program.ts';
import { listen, stop } from './oidcc/subject.ts';

const SCOPES = ['notes:read', 'notes:write'];
const HAS_FASTMCP = SOAK && isInstalled('fastmcp');

/** FastMCP of Python, where it is installed. Its client has no call that ends a session at the provider: it forgets its tokens. */
describe.runIf(HAS_FASTMCP).each(EITHER_DATABASE)('an agent with FastMCP, on %s', (_, url) => {
  let op: ServedProvider;
  let documents: DocumentHost;
  let [notes, mail] = ['', ''];
  const servers: Server[] = [];
  beforeAll(async () => {
    documents = await documentHost();
    const guarded = await Promise.all([listen(), listen()]);
    [notes = '', mail = ''] = guarded.map(({ issuer }) => `${issuer.origin}/mcp`);
    op = await servedProvider(url, () => ({
      resources: [notes, mail].map((resource) => ({ resource, scopes: SCOPES })),
      rbac_policy: { scopes: SCOPES.map((scope) => ({ scope, description: scope })) },
      role_assignments: [],
      agents: { registration: 'open', metadata_documents: true, scopes: ['openid', ...SCOPES, 'offline_access'] },
      clients: [],
    }));
    guarded.forEach(({ server, answer }, index) => {
      servers.push(server);
      answer(createApp({ issuer: op.issuer, resource: index === 0 ? notes : mail }));
    });
  });
  afterAll(async () => {
    await Promise.all([...servers.map(stop), op.close(), documents.close()]);
  });

  it.each(['registration', 'metadata document'])('lists, calls, refreshes and forgets by %s', async (way) => {
    const port = await getPort();
    const metadata = {
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    const document = way === 'registration' ? [] : [documents.publish('/fastmcp.json', metadata)];
    const program = ['python3', 'fastmcp_agent.py', notes, mail, String(port), ...document];
    const { code, output, visits } = await runWatched(op.issuer, program, { env: { BROWSER: 'echo %s' } });
    expect([code, output]).toEqual([0, expect.stringContaining('"tools"')]);
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '') as Fields).toEqual({
      tools: ['list_notes', 'add_note'],
      added: 'Added.',
      notes: expect.stringContaining('Buy milk'),
      refreshed: true,
      foreign: 401,
      client_id: way === 'registration' ? expect.stringMatching(/^agent-/u) : document[0],
      forgot: true,
    });
    // For the first scope, and for the one that the second tool needs.
    expect(visits).toHaveLength(2);
  });
});
