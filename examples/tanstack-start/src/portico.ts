import type { PorticoUIClient } from 'portico';

interface Settings {
  readonly apiUrl: string;
  readonly publicToken: string;
}

let client: PorticoUIClient | undefined;

/** One client for the page. It needs a browser: call it in effects and in handlers of events. */
export async function clientOf({ apiUrl, publicToken }: Settings): Promise<PorticoUIClient> {
  const { PorticoUIClient: Client } = await import('portico');
  client ??= new Client(publicToken, { apiUrl });
  return client;
}
