import { totpUri } from '#domain/account/totp-uri.ts';
import type { NewTotp } from '#domain/sessions/new-totp.ts';
import type { Services } from '../../../services.ts';
import { needed } from '../attempt.ts';

/**
 * Makes an authenticator app of the user.
 *
 * @param minutes how long it waits for its first code
 */
export async function createApp(
  { totps, project, browser }: Services<'totps' | 'project' | 'browser'>,
  minutes: number,
): Promise<NewTotp> {
  const [{ secret, recovery_codes: recoveryCodes, user_id, user }, { projectName }] = await Promise.all([
    totps.create({ expiration_minutes: minutes }),
    project.bootstrap(),
  ]);
  // Before the session, the server does not say who the user is.
  const label = user?.emails?.[0]?.email ?? user?.phone_numbers?.[0]?.phone_number ?? user_id;
  const uri = totpUri(needed(secret), projectName || browser.hostname, label);
  return { secret, uri, recoveryCodes };
}
