import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A browser of the person: goes to the address, and resolves with where the app gets its answer. */
export type Person = (authorization: URL) => Promise<URL>;

/** What a client of an MCP server does for an agent, in each generation of the official client. */
export interface McpSession {
  readonly client: {
    listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
    callTool(call: {
      readonly name: string;
      readonly arguments: Record<string, unknown>;
    }): Promise<{ readonly content: unknown }>;
    close(): Promise<void>;
  };
  connect(): Promise<void>;
  /** Redeems the code of the authorization response. */
  finish(answer: URLSearchParams): Promise<void>;
  isUnauthorized(error: unknown): boolean;
}

type StoredValue<K extends keyof OAuthClientProvider> = Awaited<
  ReturnType<Extract<OAuthClientProvider[K], (...given: never[]) => unknown>>
>;

/** An agent with the official client of the Model Context Protocol, which registers itself and keeps everything in memory. */
export class McpAgent implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback';
  /** What the server registered; undefined before. */
  registered: StoredValue<'clientInformation'>;
  saved: StoredValue<'tokens'>;
  /** The addresses to which the person was sent. */
  readonly visits: URL[] = [];
  private verifier = '';

  /** @param grants the grant types that it registers. With refresh tokens this client answers a demand for more scopes by a refresh alone. */
  constructor(
    private readonly person: Person,
    private readonly grants: readonly string[] = ['authorization_code', 'refresh_token'],
  ) {}

  get clientMetadata() {
    return {
      client_name: 'Official client',
      redirect_uris: [this.redirectUrl],
      grant_types: [...this.grants],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation() {
    return this.registered;
  }

  saveClientInformation(information: NonNullable<StoredValue<'clientInformation'>>) {
    this.registered = information;
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens: NonNullable<StoredValue<'tokens'>>) {
    this.saved = tokens;
  }

  invalidateCredentials(kind: string) {
    if (kind === 'tokens' || kind === 'all') this.saved = undefined;
    if (kind === 'client' || kind === 'all') this.registered = undefined;
  }

  redirectToAuthorization(address: URL) {
    this.visits.push(address);
  }

  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }

  /** Runs the work with a client of the MCP server. Where the person is needed, they are asked, and the work is begun again. */
  async use<T>(server: string, work: (client: McpSession['client']) => Promise<T>): Promise<T> {
    for (let asked = 0; ; asked += 1) {
      const { client, ...session } = this.open(server);
      try {
        // oxlint-disable-next-line no-await-in-loop -- each try needs the answer of the person before
        await session.connect();
        // oxlint-disable-next-line no-await-in-loop
        return await work(client);
      } catch (error) {
        const authorization = this.visits.at(-1);
        if (!session.isUnauthorized(error) || authorization === undefined || asked === 2) throw error;
        // oxlint-disable-next-line no-await-in-loop
        const answer = await this.person(authorization);
        // oxlint-disable-next-line no-await-in-loop
        await session.finish(answer.searchParams);
      } finally {
        // oxlint-disable-next-line no-await-in-loop
        await client.close();
      }
    }
  }

  protected open(server: string): McpSession {
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
      finish: async (answer) => transport.finishAuth(answer.get('code') ?? ''),
      isUnauthorized: (error) => error instanceof UnauthorizedError,
    };
  }
}
