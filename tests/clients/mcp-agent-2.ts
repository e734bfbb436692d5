import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { McpAgent, type McpSession } from './mcp-agent.ts';

/** The same agent with the second generation of the official client. */
export class NextMcpAgent extends McpAgent {
  protected override open(server: string): McpSession {
    const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: this });
    const client = new Client({ name: 'test', version: '1.0.0' });
    return {
      client: {
        listTools: async () => client.listTools(),
        callTool: async (call) => {
          const { content } = await client.callTool(call);
          return { content };
        },
        close: async () => client.close(),
      },
      connect: async () => client.connect(transport),
      finish: async (answer) => transport.finishAuth(answer),
      isUnauthorized: (error) => error instanceof UnauthorizedError,
    };
  }
}
