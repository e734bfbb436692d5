import { hkdfSync } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import type { Services } from '#provider/accounts/services.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';

const ALGORITHM = 'HS256';

/** A kind of text that travels through the browser, and that only this project's servers can make. Each kind has a separate key. */
export interface SignedTextKind {
  /** Used to derive the key. */
  readonly purpose: string;
  /** The `typ` of the JWT. */
  readonly type: string;
  readonly lifetimeSeconds: number;
}

/** The key of this kind, derived from the server's key (RFC 5869). */
function keyOf({ keys }: Pick<Services, 'keys'>, { purpose }: SignedTextKind): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', keys.codeKey, '', `portico: ${purpose}`, 32));
}

/** @param at milliseconds since 1970 at which the text becomes valid. Undefined members are left out */
export async function signText(
  services: Pick<Services, 'keys'>,
  kind: SignedTextKind,
  content: JWTPayload,
  at: number,
): Promise<string> {
  const payload = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  return new SignJWT(payload)
    .setProtectedHeader({ alg: ALGORITHM, typ: kind.type })
    .setExpirationTime(Math.floor(at / 1000) + kind.lifetimeSeconds)
    .sign(keyOf(services, kind));
}

/** The content of the text. Null if it has expired, or is of another kind or another server. */
export async function readSignedText(
  services: Pick<Services, 'keys' | 'clock'>,
  kind: SignedTextKind,
  text: string,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await verifyJwt(text, keyOf(services, kind), {
      algorithms: [ALGORITHM],
      typ: kind.type,
      currentDate: new Date(services.clock.now()),
    });
    const { exp: _, ...content } = payload;
    return content;
  } catch {
    return null;
  }
}
