import { createHmac } from 'node:crypto';
import type { Random } from '../platform.ts';
import { newId, type IdKind } from './secrets.ts';

/**
 * The id that a contact gets when it is added to a user. It is the same for every message to the contact, so that tries are counted
 * together. It does not reveal the contact.
 */
export function derivedId(key: Uint8Array, kind: IdKind, userId: string, value: string): string {
  const digest = createHmac('sha256', key).update(`added\n${userId}\n${value}`).digest();
  return newId({ bytes: (count) => digest.subarray(0, count), isLive: userId.startsWith('user-live-') }, kind);
}

/** The id of a user or contact that does not exist, in a reply that must not say so. It is the same for every call with the value. */
export function decoyId(
  { keys, random }: { readonly keys: { readonly codeKey: Uint8Array }; readonly random: Random },
  kind: IdKind,
  value: string,
): string {
  const digest = createHmac('sha256', keys.codeKey).update(`decoy\n${kind}\n${value}`).digest();
  return newId({ ...random, bytes: (count) => digest.subarray(0, count) }, kind);
}
