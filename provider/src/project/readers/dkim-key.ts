import { createPrivateKey, type KeyObject } from 'node:crypto';

const MIN_BITS = 1024;

/** An RSA private key in PEM; null for anything else. Mail servers ignore signatures with shorter keys (RFC 8301). */
export function signingKeyFrom(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= MIN_BITS ? key : null;
  } catch {
    return null;
  }
}
