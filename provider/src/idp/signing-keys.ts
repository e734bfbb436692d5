import type { CryptoKey, JWK } from 'jose';
import type { Keyed, SigningKey, Verifying } from '../security/signing-key-rows.ts';
import * as keys from '../security/signing-keys.ts';
import type { Services } from '../services.ts';

/**
 * The key that signs for other apps now. The database is asked every time, so that servers that share one agree at
 * once. Not for use within a transaction: the embedded database has one connection.
 */
export function signingKey(services: Keyed): Promise<SigningKey> {
  return keys.signingKey(services, 'apps');
}

/** The keys that anything valid may be signed with, and those that will sign soon (RFC 7517). */
export function publishedKeys(services: Keyed): Promise<{ readonly keys: readonly JWK[] }> {
  return keys.publishedKeys(services, 'apps');
}

/** For checking what this server signed for an app, however long ago. Rejects for a key that is not its own. */
export function verificationKey(
  services: Verifying & Pick<Services, 'clock'>,
  kid: string | undefined,
): Promise<CryptoKey> {
  return keys.verificationKey(services, 'apps', kid);
}
