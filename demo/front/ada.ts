import type { PorticoClient } from 'portico/headless';
import type { DemoConfig } from '../parts/config.ts';
import { codeThatComes } from '../parts/dev-inbox.ts';

const EMAIL = 'ada@example.com';
const NAME = { first_name: 'Ada', last_name: 'Lovelace' };
const MINUTES = { expiration_minutes: 5 };
const SESSION = { session_duration_minutes: 60 };

/** Signs the demo person in as she would herself: asks for a passcode, reads her mail, and enters what it says. */
export async function signInAsAda(client: PorticoClient, server: DemoConfig): Promise<void> {
  const ask = () => client.otps.email.loginOrCreate(EMAIL, MINUTES);
  const { answer, code } = await codeThatComes(server, EMAIL, ask);
  await client.otps.authenticate(code, answer.method_id, SESSION);
  const user = client.user.getSync();
  if (user?.name.first_name === '') await client.user.update({ name: NAME });
}
