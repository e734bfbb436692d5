import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { createMcpGuard } from '#composition/server/mcp.ts';
import { McpAgent } from '#tests/clients/mcp-agent.ts';
import { remoteTools } from '#tests/clients/mcp-remote.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { FollowingBrowser } from '../kit/following-browser.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { CLIENTS, newerNode, PrintedAddresses, runWatched } from '../kit/watched-program.ts';
import { listen, stop } from './oidcc/subject.ts';

const SCOPES = ['notes:read', 'notes:write'];
const SECRET = 'a secret of the client';
const WAYS = ['registration', 'metadata document'] as const;
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js';
const PROXY = 'node_modules/mcp-remote/dist/proxy.js';

/** Programs of others that call tools of the server of examples/mcp, each in its own process, and servers of FastMCP. */
describe.each(EITHER_DATABASE)('an agent that is a program, on %s', (_, url) => {
  let op: ServedProvider;
  let documents: DocumentHost;
  let folder: string;
  let [notes, mail, fast, proxyPort] = ['', '', 0, 0] as [string, string, number, number];
  const servers: Server[] = [];
  beforeAll(async () => {
    await ensureDeps(CLIENTS);
    folder = mkdtempSync(join(tmpdir(), 'portico-agents-'));
    documents = await documentHost();
    const guarded = await Promise.all([listen(), listen()]);
    [fast, proxyPort] = [await getPort(), await getPort()];
    const [first = '', second = ''] = guarded.map(({ issuer }) => `${issuer.origin}/mcp`);
    [notes, mail] = [first, second];
    const resources = [notes, mail, `http://localhost:${fast}/mcp`];
    op = await servedProvider(url, () => ({
      resources: resources.map((resource) => ({ resource, scopes: SCOPES })),
      rbac_policy: { scopes: SCOPES.map((scope) => ({ scope, description: scope })) },
      role_assignments: [],
      agents: { registration: 'open', metadata_documents: true, scopes: ['openid', ...SCOPES, 'offline_access'] },
      clients: [
        { client_id: 'suite', client_type: 'public', name: 'Suite', redirect_uris: ['http://127.0.0.1/callback'] },
        {
          client_id: 'fast',
          client_type: 'confidential',
          client_secret_hash: tokenHash(SECRET),
          name: 'FastMCP',
          redirect_uris: [`http://localhost:${proxyPort}/oauth/callback`],
          scopes: ['openid', 'email', 'offline_access'],
        },
      ],
    }));
    guarded.forEach(({ server, answer }, index) => {
      servers.push(server);
      answer(createApp({ issuer: op.issuer, resource: index === 0 ? notes : mail }));
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([...servers.map(stop), op.close(), documents.close()]);
  });

  const documentFor = (path: string, callback: string): string =>
    documents.publish(path, {
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });

  it.each([
    ['for the project', false],
    ['for one API', true],
  ])('the conformance suite of MCP finds no failure and warns of nothing, with a token %s', async (_for, isForApi) => {
    const port = String(await getPort());
    const target = isForApi ? ['--resource', notes] : [];
    const args = ['authorization', '--url', op.issuer, '--client-id', 'suite', '--port', port, ...target];
    const { code, output } = await runWatched(op.issuer, [newerNode(), CONFORMANCE, ...args]);
    expect(output).toMatch(/Total: 3 passed, 0 failed/u);
    expect(output).not.toMatch(/warning|skipped/iu);
    expect(code).toBe(0);
  });

  it.each(WAYS)('the MCP inspector lists and calls tools by %s, and asks again for another API', async (way) => {
    const port = await getPort();
    const callback = `http://127.0.0.1:${port}/oauth/callback`;
    const home = mkdtempSync(join(folder, 'inspector-'));
    const document = way === 'registration' ? [] : ['--client-metadata-url', documentFor('/inspector.json', callback)];
    const env = { HOME: home, BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
    const use = async (server: string, ...method: readonly string[]) => {
      const to = ['--server-url', server, '--transport', 'http', '--callback-url', callback, ...document];
      return runWatched(op.issuer, [newerNode(), INSPECTOR, ...to, '--method', ...method], { env });
    };
    const listed = await use(notes, 'tools/list');
    expect([listed.code, listed.visits.length]).toEqual([0, 1]);
    expect(listed.output).toContain('"list_notes"');
    expect(listed.visits[0]?.searchParams.get('client_id')).toMatch(way === 'registration' ? /^agent-/u : /^http:/u);
    const added = await use(notes, 'tools/call', '--tool-name', 'add_note', '--tool-arg', 'note=milk');
    expect(added).toMatchObject({ code: 0, visits: [], output: expect.stringContaining('Added.') });
    expect((await use(mail, 'tools/list')).visits).toHaveLength(1);
  });

  it.each(WAYS)('mcp-remote lists and calls tools by %s, gets more for one, and is remembered', async (way) => {
    const port = await getPort();
    const callback = `http://localhost:${port}/oauth/callback`;
    const info = JSON.stringify({ client_id: documentFor('/remote.json', callback) });
    const known = way === 'registration' ? [] : ['--static-oauth-client-info', info];
    const env = { MCP_REMOTE_CONFIG_DIR: mkdtempSync(join(folder, 'remote-')), BROWSER: 'true' };
    const args = [PROXY, notes, String(port), '--transport', 'http-only', ...known];
    const printed = new PrintedAddresses(op.issuer);
    const calls = [['list_notes', {}], ['add_note', { note: 'Buy milk' }], ['list_notes', {}]] as const; // prettier-ignore
    const use = () =>
      remoteTools({ command: newerNode(), args, env, cwd: CLIENTS, onPrinted: (text) => printed.add(text) }, calls);
    const before = await use();
    expect(before.tools).toEqual(['list_notes', 'add_note']);
    expect(before.texts.slice(1)).toEqual(['Added.', expect.stringContaining('Buy milk')]);
    expect(printed.visits).toHaveLength(2);
    expect((await use()).texts[2]).toContain('Buy milk');
    expect(printed.visits).toHaveLength(2);
    await printed.settled();
  });

  /** The person's browser goes as far as the agent's address, where nothing listens. */
  const allow = async (authorization: URL): Promise<URL> => {
    const browser = new FollowingBrowser();
    for (let next = authorization; ;) {
      // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
      const location = (await browser.send(next)).headers.get('location');
      if (location === null) throw new Error(`a page at ${next.href}`);
      next = new URL(location, next);
      if (next.port === '9') return next;
    }
  };
  const textOf = (agent: McpAgent, server: string) =>
    agent.use(server, async (client) => {
      const { content } = await client.callTool({ name: 'list_notes', arguments: {} });
      return (content as readonly { readonly text: string }[])[0]?.text;
    });

  it('a server of FastMCP takes the tokens that the guard does, and those of no other API', async () => {
    const { guardedServer } = await import('#tests/clients-soak/fast-mcp.mjs');
    const resource = `http://localhost:${fast}/mcp`;
    const guard = createMcpGuard({ issuer: op.issuer, resource, scopes: ['notes:read'] });
    const server = await guardedServer({ guard, port: fast });
    try {
      const [agent, other] = [new McpAgent(allow), new McpAgent(allow)];
      expect(await textOf(agent, resource)).toBe(`Notes of ${op.user['user_id']}`);
      await textOf(other, notes);
      const foreign = { method: 'POST', headers: { authorization: `Bearer ${other.saved?.access_token ?? ''}` } };
      expect((await fetch(resource, foreign)).status).toBe(401);
    } finally {
      await server.stop();
    }
  });

  it('a server of FastMCP signs people in here, and is the authorization server of its agents', async () => {
    const { proxyingServer } = await import('#tests/clients-soak/fast-mcp.mjs');
    const to = { issuer: op.issuer, client_id: 'fast', client_secret: SECRET, port: proxyPort };
    const server = await proxyingServer(to);
    try {
      expect(await textOf(new McpAgent(allow), `http://localhost:${proxyPort}/mcp`)).toBe('Notes');
    } finally {
      await server.stop();
    }
  });
});
