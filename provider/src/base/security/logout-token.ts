import { SignJWT } from 'jose';
import type { Random } from '../platform.ts';
import { uuid } from './secrets.ts';
import { ALGORITHM, type SigningKey } from './signing-key-rows.ts';

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export const LOGOUT_TYPE = 'logout+jwt';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** At most two minutes, as section 4 recommends. */
const LIFETIME_SECONDS = 120;

/** The session that ended. */
export interface EndedSession {
  readonly iss: string;
  readonly sub: string;
  readonly sid: string;
}

/** A logout token for one app. It has no nonce, so that it cannot be used as an ID token. Each attempt has a new `jti`. */
export async function signLogoutToken(
  { random, now }: { readonly random: Random; readonly now: number },
  { iss, sub, sid }: EndedSession,
  { client_id, key }: { readonly client_id: string; readonly key: SigningKey },
): Promise<string> {
  const iat = Math.floor(now / 1000);
  return new SignJWT({ sid, events: { [LOGOUT_EVENT]: {} } })
    .setProtectedHeader({ alg: ALGORITHM, typ: LOGOUT_TYPE, kid: key.kid })
    .setIssuer(iss)
    .setSubject(sub)
    .setAudience(client_id)
    .setIssuedAt(iat)
    .setExpirationTime(iat + LIFETIME_SECONDS)
    .setJti(uuid(random))
    .sign(key.privateKey);
}
