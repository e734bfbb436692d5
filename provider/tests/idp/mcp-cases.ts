import { expect, it } from 'vitest';
import { McpAgent, type Person } from '#tests/clients/mcp-agent.ts';
import { NextMcpAgent } from '#tests/clients/mcp-agent-2.ts';

export const SCOPES = ['notes:read', 'notes:write'];

/** An authorization server with two MCP servers that trust it. */
export interface McpWorld {
  readonly notes: string;
  readonly mail: string;
  /** The person, who allows all that is asked. */
  readonly allow: Person;
  /** Publishes a metadata document, and returns its address, which is the client id. */
  publish(path: string, metadata: object): string;
}

/** Calls a tool, and returns the text of its answer. */
export async function callTool(agent: McpAgent, at: string, name: string, input: Record<string, unknown> = {}) {
  return agent.use(at, async (client) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as readonly { readonly text: string }[])[0]?.text;
  });
}

const toolsOf = (agent: McpAgent, at: string) =>
  agent.use(at, async (client) => (await client.listTools()).tools.map(({ name }) => name));

type Way = 'registration' | 'metadata document';

/**
 * What the official clients of the Model Context Protocol do at every authorization server that has all of its authorization.
 *
 * @param raised the ways in which an agent comes that can ask for more scopes later: this client registers with those of its first request
 */
export function mcpCases(world: () => McpWorld, raised: readonly Way[]): void {
  it.each(raised)('comes by %s, lists the tools, calls one, and gets more for another tool', async (way) => {
    const { notes, allow, publish } = world();
    const agent = new McpAgent(allow, ['authorization_code']);
    if (way === 'metadata document') agent.registered = { client_id: publish('/raised.json', agent.clientMetadata) };
    const note = `By ${way}`;
    expect(await toolsOf(agent, notes)).toEqual(['list_notes', 'add_note']);
    expect(agent.visits).toHaveLength(1);
    expect(agent.visits[0]?.searchParams.get('resource')).toBe(notes);
    expect(await callTool(agent, notes, 'list_notes')).not.toContain(note);
    expect(agent.visits).toHaveLength(1);

    expect(await callTool(agent, notes, 'add_note', { note })).toBe('Added.');
    expect(agent.visits).toHaveLength(2);
    expect(agent.visits[1]?.searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(SCOPES));
    expect(await callTool(agent, notes, 'list_notes')).toContain(note);
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
      const { notes, mail, allow, publish } = world();
      const agents = [new Agent(allow), new Agent(allow)] as const;
      for (const [index, agent] of agents.entries()) {
        // The client takes an https address alone for the one of its document, and passes it on as its id.
        const client_id = way === 'registration' ? null : publish(`/${generation}-${index}.json`, agent.clientMetadata);
        if (client_id !== null) agent.registered = { client_id };
        const at = index === 0 ? notes : mail;
        expect(await toolsOf(agent, at)).toEqual(['list_notes', 'add_note']);
        expect(await callTool(agent, at, 'list_notes')).toEqual(expect.any(String));
        expect(agent.visits).toHaveLength(1);
        expect(agent.visits[0]?.searchParams.get('client_id')).toBe(agent.registered?.client_id);
        if (client_id !== null) expect(agent.registered?.client_id).toBe(client_id);
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

  it('a token for one server is refused by the other, and by the first if it is for the other', async () => {
    const { notes, mail, allow } = world();
    const agent = new McpAgent(allow);
    await callTool(agent, notes, 'list_notes');
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
    await callTool(other, mail, 'list_notes');
    const swapped = { headers: { authorization: `Bearer ${other.saved?.access_token ?? ''}` }, method: 'POST' };
    expect((await fetch(notes, swapped)).status).toBe(401);
  });
}
