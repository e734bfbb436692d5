import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const derived = new WeakMap<Uint8Array, Map<string, KeyObject>>();

/**
 * The key for one purpose, derived from the server's key (RFC 5869): a leaked key of one purpose does not reveal another. Each is derived
 * once, because an import seals thousands of hashes per second, and each request may have a cookie to verify.
 */
export function derivedKey(codeKey: Uint8Array, purpose: string): KeyObject {
  const keys = derived.get(codeKey) ?? new Map<string, KeyObject>();
  derived.set(codeKey, keys);
  const key = keys.get(purpose) ?? createSecretKey(new Uint8Array(hkdfSync('sha256', codeKey, '', purpose, 32)));
  keys.set(purpose, key);
  return key;
}
