import { createHash, createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import { base64url } from '#domain/base64url.ts';
import { OTP_LENGTH } from '#domain/passcodes/otp.ts';
import type { Random } from '../platform.ts';

/** 256 bits, base64url: session tokens and the tokens in emailed links. */
export function newToken(random: Random): string {
  return base64url(random.bytes(32));
}

/** The opaque token of a session in one generation. Only the server's key can derive it. */
export function sessionToken(key: Uint8Array, sessionId: string, generation: number): string {
  return createHmac('sha256', key).update(`session token\n${sessionId}\n${generation}`).digest('base64url');
}

/** The hash of a token for the database. A token has too many bits to be guessed, so a plain SHA-256 is enough. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * The hash of a passcode for the database. It is keyed, because all million codes can be hashed in a second.
 *
 * @param id the subject of the code, such as the id of the passcode
 */
export function codeHash(key: Uint8Array, id: string, code: string): string {
  return createHmac('sha256', key).update(`${id}\n${code}`).digest('base64url');
}

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

/** Compares in a time that does not depend on where the texts differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = createHash('sha256').update(a).digest();
  return timingSafeEqual(digest, createHash('sha256').update(b).digest());
}

const CODES = 10 ** OTP_LENGTH;
/** Numbers (32 bits) from here on are skipped, because a remainder would make low codes more likely than high ones. */
const UNBIASED = Math.floor(2 ** 32 / CODES) * CODES;

/** Six digits, each code equally likely, with leading zeros. */
export function newPasscode(random: Random): string {
  for (;;) {
    const word = new DataView(Uint8Array.from(random.bytes(4)).buffer).getUint32(0);
    if (word < UNBIASED) return String(word % CODES).padStart(OTP_LENGTH, '0');
  }
}

/** A random UUID (RFC 9562, version 4). */
export function uuid(random: Random): string {
  return uuidOf(Uint8Array.from(random.bytes(16)), 4);
}

/** A UUID that begins with the time, 48 bits of milliseconds, and has 74 random ones (RFC 9562, version 7). */
function timedUuid(random: Random, now: number): string {
  const bytes = Uint8Array.from(random.bytes(16));
  const time = Buffer.alloc(6);
  time.writeUIntBE(Math.max(0, Math.floor(now)), 0, 6);
  bytes.set(time);
  return uuidOf(bytes, 7);
}

function uuidOf(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export type IdKind =
  | 'request-id'
  | 'user'
  | 'email'
  | 'phone-number'
  | 'password'
  | 'totp'
  | 'session'
  | 'message'
  | 'hook'
  | 'embedded-magic-link'
  | 'totp-recovery-code'
  | 'recovery'
  | 'm2m-client'
  | 'oauth-token-family'
  | 'oauth-grant'
  | 'connected-app'
  | 'oauth-user'
  | 'crypto-wallet'
  | 'webauthn-registration'
  | 'trusted-device';

/**
 * Such as `user-test-{uuid}`, or `user-live-{uuid}` of a live project.
 *
 * @param at the time, for ids that begin many rows: they then follow each other in the indexes, so that a new row is written to the same
 * page as the one before. The id reveals the time, so do not use it if the age would tell a stranger something
 */
export function newId(random: Random, kind: IdKind, at?: number): string {
  return `${kind}-${random.isLive === true ? 'live' : 'test'}-${at === undefined ? uuid(random) : timedUuid(random, at)}`;
}
