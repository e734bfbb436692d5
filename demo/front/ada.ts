import type { PorticoClient } from 'portico/headless';
import type { DemoConfig } from '../parts/config.ts';
import { codeThatComes } from '../parts/dev-inbox.ts';

/** The address of the demo user. */
export const ADA = 'ada@example.com';
const NAME = { first_name: 'Ada', last_name: 'Lovelace' };
export const PASSCODE = { expiration_minutes: 5 };
const SESSION = { session_duration_minutes: 60 };

const TRIES = 3;

/** Signs the demo user in through the regular flow: requests a passcode, reads her email, and enters the code. */
export async function signInAsAda(client: PorticoClient, server: DemoConfig, tries = TRIES): Promise<void> {
  const ask = () => client.otps.email.loginOrCreate(ADA, PASSCODE);
  const { answer, code } = await codeThatComes(server, ADA, ask);
  try {
    await client.otps.authenticate(code, answer.method_id, SESSION);
  } catch (error) {
    // Another page has signed her in at the same moment with this code.
    const { error_type: kind } = error as { readonly error_type?: string };
    if (kind !== 'otp_code_not_found' || tries <= 1) throw error;
    return signInAsAda(client, server, tries - 1);
  }
  const user = client.user.getSync();
  if (user?.name.first_name === '') await client.user.update({ name: NAME });
}
