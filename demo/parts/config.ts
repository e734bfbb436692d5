/** The provider's address from the server of this page, never from the URL. */
export interface DemoConfig {
  readonly provider: string;
  readonly publicToken: string;
  /** The audience of its session JWTs. */
  readonly projectId: string;
  /** The connected app that signs its users in here, if one runs with the demo. */
  readonly app?: string;
  /** Whether sessions are bound to a key of the browser. */
  readonly bound?: boolean;
  /** Whether a first message is sent to an empty inbox. */
  readonly welcome?: boolean;
}

export async function loadConfig(): Promise<DemoConfig> {
  const reply = await fetch('/config.json');
  const config = (await reply.json()) as DemoConfig;
  if (typeof config.provider !== 'string' || typeof config.publicToken !== 'string') {
    throw new TypeError('/config.json names no provider');
  }
  return config;
}

/** The adapters of the page's client. */
export async function adaptersFor({ bound = false }: DemoConfig) {
  if (!bound) return {};
  const { boundTransport } = await import('portico/bound');
  return { adapters: { transport: boundTransport() } };
}

/** The demo's provider replaces the test environment's host. */
export const clientOptions = ({ provider }: DemoConfig) => ({ apiUrl: provider });
