import { createHmac } from 'node:crypto';
import { uuid, type IdKind } from './secrets.ts';

/**
 * The id that an address gets when it is added to a user. It is the same for every message to the address, so that tries
 * are counted together, and it does not reveal the address.
 */
export function derivedId(key: Uint8Array, kind: IdKind, userId: string, address: string): string {
  const digest = createHmac('sha256', key).update(`added\n${userId}\n${address}`).digest();
  return `${kind}-test-${uuid({ bytes: (count) => digest.subarray(0, count) })}`;
}
