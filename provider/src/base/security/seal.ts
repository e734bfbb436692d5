import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../platform.ts';
import { derivedKey } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const sealingKey = (codeKey: Uint8Array) => derivedKey(codeKey, 'portico: sealed secrets');

/** Encrypts a text for the database (AES-256-GCM); `owner` is bound to it, so that a row cannot be decrypted as another's. */
export function seal(random: Random, codeKey: Uint8Array, owner: string, text: string): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(codeKey), nonce).setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
}

/** The sealed text. Throws if it was changed, or encrypted under another key or for another owner. */
export function unseal(codeKey: Uint8Array, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(codeKey), nonce)
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
