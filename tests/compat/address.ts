/** Where the test's provider is: the only thing in these apps that is not the app's own. */
const reply = await fetch('/config.json');
const config = (await reply.json()) as { readonly provider: string; readonly publicToken: string };

export const API = config.provider;
export const PUBLIC_TOKEN = config.publicToken;
