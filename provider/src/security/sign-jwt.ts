import { sign } from 'node:crypto';
import { ALGORITHM, type SigningKey } from './signing-key-rows.ts';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * A signed JWT in compact form (RFC 7515, section 7.1). The signature is made in this thread: passing it to the thread pool, as
 * WebCrypto does, takes longer than signing.
 */
export function signJwt({ kid, keyObject }: SigningKey, typ: string, claims: object): string {
  const signed = `${encoded({ alg: ALGORITHM, typ, kid })}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), keyObject).toString('base64url')}`;
}
