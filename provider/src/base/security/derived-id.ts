import { createHmac } from 'node:crypto';
import { newId, type IdKind } from './secrets.ts';

/**
 * The id that a contact gets when it is added to a user. It is the same for every message to the contact, so that tries are counted
 * together. It does not reveal the contact.
 */
export function derivedId(key: Uint8Array, kind: IdKind, userId: string, value: string): string {
  const digest = createHmac('sha256', key).update(`added\n${userId}\n${value}`).digest();
  return newId({ bytes: (count) => digest.subarray(0, count), isLive: userId.startsWith('user-live-') }, kind);
}
