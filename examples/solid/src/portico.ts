import { PorticoUIClient } from 'portico/standalone';
import { createSignal, onCleanup } from 'solid-js';

/** The local provider's own project, unless the environment names another. */
const API_URL: string = import.meta.env['VITE_PORTICO_API_URL'] ?? 'http://localhost:4100';
const PUBLIC_TOKEN: string =
  import.meta.env['VITE_PORTICO_PUBLIC_TOKEN'] ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000';

export const client = new PorticoUIClient(PUBLIC_TOKEN, { apiUrl: API_URL });

/** The signed-in user, or null; it follows sign-ins and sign-outs in this and in other tabs. */
export function createUser() {
  const [user, setUser] = createSignal(client.user.getSync());
  onCleanup(client.user.onChange((next) => setUser(next)));
  return user;
}
