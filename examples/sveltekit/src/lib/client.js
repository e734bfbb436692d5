let client;

/** One client for the page. It needs a browser: call it in `onMount` and in handlers of events. */
export async function clientOf({ apiUrl, publicToken }) {
  const { PorticoUIClient } = await import('portico/standalone');
  client ??= new PorticoUIClient(publicToken, { apiUrl });
  return client;
}
