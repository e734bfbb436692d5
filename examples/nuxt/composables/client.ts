import type { PorticoUIClient } from 'portico/standalone';

let client: PorticoUIClient | undefined;

/** One client for the page. It needs a browser: call it in `onMounted` and in handlers of events. */
export async function clientOf({ apiUrl, token }: { apiUrl: string; token: string }): Promise<PorticoUIClient> {
  const { PorticoUIClient: Client } = await import('portico/standalone');
  client ??= new Client(token, { apiUrl });
  return client;
}
