/** Where the provider is, as the server of this page says: never taken from the address bar. */
export interface DemoConfig {
  readonly provider: string;
  readonly publicToken: string;
  /** The audience of its session JWTs. */
  readonly projectId: string;
  /** Another app, which signs its users in here; where one runs beside the demo. */
  readonly app?: string;
}

export async function loadConfig(): Promise<DemoConfig> {
  const reply = await fetch('/config.json');
  const config = (await reply.json()) as DemoConfig;
  if (typeof config.provider !== 'string' || typeof config.publicToken !== 'string') {
    throw new TypeError('/config.json names no provider');
  }
  return config;
}

/** The demo's provider stands in for the test environment's host. */
export const clientOptions = ({ provider }: DemoConfig) => ({ apiUrl: provider });
