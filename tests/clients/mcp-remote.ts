import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** A program that is an MCP server on its standard streams. */
export interface StdioProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onPrinted: (text: string) => void;
}

/** Lists the tools of the program, then calls some of them in order. */
export async function remoteTools(
  { command, args, env, cwd, onPrinted }: StdioProgram,
  calls: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[],
) {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const all = { ...Object.fromEntries(inherited), ...env };
  const transport = new StdioClientTransport({ command, args: [...args], env: all, cwd, stderr: 'pipe' });
  transport.stderr?.on('data', (text) => onPrinted(String(text)));
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    await client.connect(transport);
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const texts: string[] = [];
    for (const [name, input] of calls) {
      // oxlint-disable-next-line no-await-in-loop -- the calls have an order
      const { content } = await client.callTool({ name, arguments: input });
      texts.push((content as readonly { readonly text: string }[])[0]?.text ?? '');
    }
    return { tools, texts };
  } finally {
    await client.close();
  }
}
