import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { ISSUER } from './idp-harness.ts';
import type { DocumentHost } from './document-host.ts';
import type { Fields } from './harness.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A key of an app, with its id. */
export interface AppKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly privateJwk: JWK;
}

export async function appKey(kid: string): Promise<AppKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const named = { kid, alg: 'ES256', use: 'sig' };
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), ...named },
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
  };
}

/** Publishes a key set at the path, and returns its address. */
export const publishKeys = (
  host: DocumentHost,
  path: string,
  keys: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): string => host.answer(path, (_, response) => response.writeHead(200, headers).end(JSON.stringify({ keys })));

let jtis = 0;

/** The fields with which a client signs itself in (RFC 7523). */
export async function assertionBy(
  { privateKey, kid }: Pick<AppKey, 'privateKey' | 'kid'>,
  client_id: string,
  { time, ...changes }: JWTPayload & { readonly time: number },
): Promise<Fields> {
  jtis += 1;
  const claims = {
    iss: client_id,
    sub: client_id,
    aud: ISSUER,
    jti: `key-host-${jtis}`,
    exp: Math.floor(time / 1000) + 60,
  };
  const jwt = new SignJWT({ ...claims, ...changes }).setProtectedHeader({
    alg: 'ES256',
    ...(kid === '' ? {} : { kid }),
  });
  return { client_assertion_type: TYPE, client_assertion: await jwt.sign(privateKey) };
}
