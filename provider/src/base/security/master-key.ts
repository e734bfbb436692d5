import { createHash, hkdfSync } from 'node:crypto';
import type { Random } from '../platform.ts';
import { seal, unseal } from './seal.ts';

const KEY_BYTES = 32;
/** Only one in 10^20 random keys has fewer distinct bytes, so such a key was typed by hand, or is a placeholder. */
const MIN_DIFFERENT_BYTES = 16;

/** The keys that only the operator has. The first one encrypts and all decrypt, so that a key can be replaced. */
export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]];

/** The error of a master key. The message does not reveal the key. */
export class MasterKeyError extends Error {}

/** One or several keys, separated by commas or white space. Lines that begin with # are comments. */
export function masterKeysFrom(text: string): MasterKeys {
  const lines = text.split(/\r?\n/u).filter((line) => !line.trimStart().startsWith('#'));
  const [first, ...others] = lines
    .join(' ')
    .split(/[\s,]+/u)
    .filter((word) => word !== '')
    .map(keyFrom);
  if (first === undefined) throw new MasterKeyError('is empty');
  return [first, ...others];
}

/** Hexadecimal, base64url or base64, which cannot be confused at this length. */
function keyFrom(word: string): Uint8Array {
  const hex = /^[\da-f]{64}$/iu.test(word);
  const base64 = /^[\w+/-]{43}=?$/u.test(word);
  if (!hex && !base64) throw new MasterKeyError('must hold 32 random bytes, in base64 or hexadecimal');
  const key = Uint8Array.from(Buffer.from(word, hex ? 'hex' : 'base64'));
  if (key.length !== KEY_BYTES || new Set(key).size < MIN_DIFFERENT_BYTES) {
    throw new MasterKeyError('must hold 32 random bytes, in base64 or hexadecimal');
  }
  return key;
}

/** The text of a new master key. */
export function newMasterKey(random: Random): string {
  return Buffer.from(random.bytes(KEY_BYTES)).toString('base64url');
}

/** Identifies a key without revealing it, so that an encrypted text names the key that decrypts it. */
function idOf(master: Uint8Array): string {
  const id = hkdfSync('sha256', master, '', 'portico: name of a master key', 32);
  return createHash('sha256').update(new Uint8Array(id)).digest('base64url').slice(0, 11);
}

/** The text, sealed under the first key, with that key's name before it. */
export function wrap(random: Random, [master]: MasterKeys, name: string, text: string): string {
  return `${idOf(master)}.${seal(random, wrappingKey(master), name, text)}`;
}

export interface DecryptedText {
  readonly text: string;
  /** True if a key other than the first decrypted it. Then it should be encrypted again. */
  readonly stale: boolean;
}

/** Null if none of the keys decrypts the text. */
export function unwrap(masters: MasterKeys, name: string, wrapped: string): DecryptedText | null {
  const [id = '', sealed = ''] = wrapped.split('.');
  const place = masters.findIndex((master) => idOf(master) === id);
  const master = masters[place];
  if (master === undefined) return null;
  try {
    return { text: unseal(wrappingKey(master), name, sealed), stale: place > 0 };
  } catch {
    return null;
  }
}

/** The secret with which a program of this machine that has the key reads the settings of a running server. */
export function settingsSecret([master]: MasterKeys): string {
  const key = hkdfSync('sha256', master, '', 'portico: settings of a running server', KEY_BYTES);
  return Buffer.from(key).toString('base64url');
}

/** Derives a key for this purpose (RFC 5869), so that the master key is never used directly. */
function wrappingKey(master: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', 'portico: wrapping of data keys', 32));
}
