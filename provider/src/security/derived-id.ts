import { createHmac } from 'node:crypto';
import { uuid, type IdKind } from './secrets.ts';

/**
 * The id that an address gets when it is added to a user: the same for every message about it, so that tries are
 * counted over all of them, and nobody can tell the address from it.
 */
export function derivedId(key: Uint8Array, kind: IdKind, userId: string, address: string): string {
  const digest = createHmac('sha256', key).update(`added\n${userId}\n${address}`).digest();
  return `${kind}-test-${uuid({ bytes: (count) => digest.subarray(0, count) })}`;
}
