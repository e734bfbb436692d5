import type { PorticoClient } from 'portico/headless';
import type { DemoConfig } from '../parts/config.ts';
import { codeThatComes } from '../parts/dev-inbox.ts';

const EMAIL = 'ada@example.com';
const NAME = { first_name: 'Ada', last_name: 'Lovelace' };
const MINUTES = { expiration_minutes: 5 };
const SESSION = { session_duration_minutes: 60 };

const TRIES = 3;

/** Signs the demo person in as she would herself: asks for a passcode, reads her mail, and enters what it says. */
export async function signInAsAda(client: PorticoClient, server: DemoConfig, tries = TRIES): Promise<void> {
  const ask = () => client.otps.email.loginOrCreate(EMAIL, MINUTES);
  const { answer, code } = await codeThatComes(server, EMAIL, ask);
  try {
    await client.otps.authenticate(code, answer.method_id, SESSION);
  } catch (error) {
    // Another page signs her in at the same moment, and has used this code.
    const { error_type: kind } = error as { readonly error_type?: string };
    if (kind !== 'otp_code_not_found' || tries <= 1) throw error;
    return signInAsAda(client, server, tries - 1);
  }
  const user = client.user.getSync();
  if (user?.name.first_name === '') await client.user.update({ name: NAME });
}
