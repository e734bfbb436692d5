import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isRecord } from '#domain/shape.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { FieldError, listOf, object, textThat, type Reader } from './readers.ts';

/** Public keys, each with the members of RFC 7517. */
export interface PublicKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** The most keys per client that are used. */
export const MOST_KEYS = 20;

const LONGEST_URL = 2048;

/** The address of a key set. */
export const KEYS_URL = textThat(
  `an https URL of at most ${LONGEST_URL} characters, or http on this machine, without user and fragment`,
  (url) => url.length <= LONGEST_URL && safeUrl(url) !== null && !url.includes('#'),
);

export const jwks: Reader<PublicKeys> = object<PublicKeys>({
  keys: listOf((value, path) => {
    if (!isRecord(value)) throw new FieldError(path, 'an object');
    if (!isPublicJwk(value)) throw new FieldError(path, 'a public key (RFC 7517)');
    return value;
  }),
});

/** Members that only private and secret keys have (RFC 7518, sections 6.2.2, 6.3.2 and 6.4; RFC 8037). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** True for a public key that this server can use. */
export function isPublicJwk(key: unknown): key is Readonly<Record<string, unknown>> {
  if (!isRecord(key)) return false;
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
