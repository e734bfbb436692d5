import { SignJWT } from 'jose';
import type { Services } from '#provider/accounts/services.ts';
import { ALGORITHM } from '#provider/base/security/signing-key-rows.ts';
import { signingKey } from '#provider/base/security/signing-keys.ts';

/** RFC 9701, section 5. */
const TYPE = 'token-introspection+jwt';
const MEDIA_TYPE = `application/${TYPE}`;

/** An answer that is a JWT instead of JSON. */
export class SignedReply {
  readonly mediaType = MEDIA_TYPE;

  constructor(readonly jwt: string) {}
}

/** True if the client wants the answer signed (RFC 9701, section 4). */
export function wantsSigned(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === MEDIA_TYPE);
}

/** The answer of introspection as a JWT for that client, which can keep it as evidence. */
export async function signIntrospection(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  result: object,
  { client_id, issuer }: { readonly client_id: string; readonly issuer: string },
): Promise<SignedReply> {
  const key = await signingKey(services, 'apps');
  const jwt = await new SignJWT({ token_introspection: result })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.kid })
    .setIssuer(issuer)
    .setAudience(client_id)
    .setIssuedAt(Math.floor(services.clock.now() / 1000))
    .sign(key.privateKey);
  return new SignedReply(jwt);
}
