import { jwtVerify, SignJWT } from 'jose';
import type { Session } from '../../../src/domain/session.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import { ALGORITHM } from './signing-key-rows.ts';
import { signingKey, verificationKey } from './signing-keys.ts';

/** The claim under which backends of this wire look for the session. */
const SESSION_CLAIM = 'https://stytch.com/session';
const LIFETIME_MS = 5 * MINUTE_MS;
/** So much may the clocks of two processes differ (RFC 7519, section 4.1.4). */
const TOLERANCE_SECONDS = 30;
const TYPE = 'JWT';

/** In a transaction `db` is the transaction: the embedded database has one connection. */
type Signing = Pick<Services, 'db' | 'keys' | 'project' | 'clock' | 'random'>;

const issuer = ({ project }: Signing): string => `stytch.com/${project.project_id}`;

/** A signed form of the session, good for five minutes and never longer than the session (RFC 7519, RS256). */
export async function signSession(services: Signing, session: Session): Promise<string> {
  const key = await signingKey(services, 'sessions');
  const now = services.clock.now();
  const expires = Math.min(now + LIFETIME_MS, Date.parse(session.expires_at));
  const { session_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors, roles } = session;
  const claim = { id: session_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors, roles };
  return new SignJWT({ [SESSION_CLAIM]: claim })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.kid })
    .setIssuer(issuer(services))
    .setSubject(session.user_id)
    .setAudience([services.project.project_id])
    .setIssuedAt(Math.floor(now / 1000))
    .setNotBefore(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(key.privateKey);
}

/** The id of the session that a JWT of ours names, or null for one that is foreign, changed or expired. */
export async function sessionIdIn(services: Signing, jwt: string): Promise<string | null> {
  try {
    const keyOf = ({ kid }: { readonly kid?: string }) => verificationKey(services, 'sessions', kid);
    const { payload } = await jwtVerify(jwt, keyOf, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: issuer(services),
      audience: services.project.project_id,
      currentDate: new Date(services.clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    const claim = payload[SESSION_CLAIM];
    return isRecord(claim) && typeof claim['id'] === 'string' ? claim['id'] : null;
  } catch {
    return null;
  }
}
