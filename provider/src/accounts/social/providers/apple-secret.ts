import { importPKCS8, SignJWT } from 'jose';
import type { AppleSettings } from '#provider/project/settings/oauth-clients.ts';
import type { Clock } from '#provider/base/platform.ts';
import { onceMade } from '#provider/base/remember.ts';

const AUDIENCE = 'https://appleid.apple.com';
/** Apple allows half a year. Because a secret is made for each use, it can be short-lived. */
const LIFETIME_SECONDS = 300;

/**
 * Makes the client secret for Apple: a token signed with the key of the project's team.
 * https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export function appleSecret({ client_id, team_id, key_id, private_key }: AppleSettings, clock: Clock) {
  const key = onceMade(() => importPKCS8(private_key, 'ES256'));
  return async (): Promise<string> => {
    const now = Math.floor(clock.now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: key_id })
      .setIssuer(team_id)
      .setSubject(client_id)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(await key());
  };
}
