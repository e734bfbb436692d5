import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { FieldError, listOf, object, type Reader } from './readers.ts';

/** Public keys, each with the members of RFC 7517. */
export interface PublicKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

export const jwks: Reader<PublicKeys> = object<PublicKeys>({
  keys: listOf((value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FieldError(path, 'an object');
    const key = value as Readonly<Record<string, unknown>>;
    if (!isPublicJwk(key)) throw new FieldError(path, 'a public key (RFC 7517)');
    return key;
  }),
});

/** Members that only private and secret keys have (RFC 7518, sections 6.2.2, 6.3.2 and 6.4; RFC 8037). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

function isPublicJwk(key: Readonly<Record<string, unknown>>): boolean {
  return PRIVATE_MEMBERS.every((member) => !Object.hasOwn(key, member)) && isPublicKey({ key, format: 'jwk' });
}

/** Node would also accept a private key and derive the public one, but the file must not contain a private key. */
export function isPublicPem(pem: string): boolean {
  return pem.includes('-----BEGIN PUBLIC KEY-----') && !/PRIVATE KEY/iu.test(pem) && isPublicKey(pem);
}

function isPublicKey(key: string | { readonly key: JsonWebKey; readonly format: 'jwk' }): boolean {
  try {
    return createPublicKey(key).type === 'public';
  } catch {
    return false;
  }
}
