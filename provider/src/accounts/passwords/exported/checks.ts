import { base64 } from '#domain/encoding.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Config, Digest, Hmac, MigratedHash } from './migrated-hash.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
}

/*
 * The bounds of the costs. A comparison at the upper bound takes a second or so of one core, and 256 MiB: every login
 * of the user makes one, so a hash of unbounded cost would let one import slow down the logins of all users.
 */
export const SCRYPT = { n: { min: 2, max: 262_144 }, r: { min: 1, max: 32 }, p: { min: 1, max: 16 }, work: 2 ** 21 } as const; // prettier-ignore
/** One HMAC each, of two hashes: a comparison derives one block of the key. */
export const PBKDF2_ITERATIONS: Range = { min: 1, max: 2_500_000 };

/** The lengths of derived keys and salts in bytes. */
export const KEY: Range = { min: 16, max: 128 };
export const SALT: Range = { min: 0, max: 256 };
/** Of a text beside the password, in characters. */
export const MAX_AFFIX = 256;

export const DIGEST_BYTES: Readonly<Record<Digest, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };
export const HMAC_BYTES: Readonly<Record<Hmac, number>> = { ...DIGEST_BYTES, sha224: 28, sha384: 48 };

export function refusalOf(field: string, problem: string): Refusal {
  return new Refusal('invalid_hash', `${field} ${problem}.`, undefined, { field });
}

/** Reads the fields of a `…_config`. */
export class Fields {
  constructor(
    private readonly name: string,
    private readonly config: Config | undefined,
  ) {}

  get isMissing(): boolean {
    return this.config === undefined;
  }

  nameOf(field: string): string {
    return `${this.name}.${field}`;
  }

  integer(field: string, { min, max }: Range): number {
    const value = this.own(field);
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw refusalOf(this.nameOf(field), `must be a whole number from ${min} to ${max}`);
  }

  text(field: string, fallback?: string): string {
    const value = this.own(field) ?? fallback;
    if (typeof value === 'string' && value.length <= MAX_AFFIX) return value;
    throw refusalOf(this.nameOf(field), `must be a string of at most ${MAX_AFFIX} characters`);
  }

  private own(field: string): unknown {
    return this.config !== undefined && Object.hasOwn(this.config, field) ? this.config[field] : undefined;
  }
}

const HEX = /^(?:[0-9a-f]{2})+$/iu;
/** Either alphabet of RFC 4648, and the one of passlib, which writes a dot for the plus. */
const BASE64 = /^[A-Za-z0-9+/_.-]*={0,2}$/u;

/** True when the last character has no bits beyond the last byte (RFC 4648, section 3.5): the decoder of Argon2 refuses them. */
function isCanonical(plain: string): boolean {
  const spare = { 2: /[AQgw]$/u, 3: /[AEIMQUYcgkosw048]$/u }[plain.length % 4];
  return spare === undefined || spare.test(plain);
}

/** Base64 in one spelling: the standard alphabet, without padding. Undefined if the text is not base64. */
export function standardBase64(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined;
  const plain = text.replaceAll('=', '').replaceAll(/[.-]/gu, '+').replaceAll('_', '/');
  return plain.length % 4 === 1 || !isCanonical(plain) ? undefined : plain;
}

export function base64Bytes(plain: string): number {
  return Math.floor((plain.length * 6) / 8);
}

export function base64Within(field: string, text: string, { min, max }: Range, what = ''): string {
  const plain = standardBase64(text);
  if (plain !== undefined && base64Bytes(plain) >= min && base64Bytes(plain) <= max) return plain;
  throw refusalOf(field, `must ${what === '' ? 'be' : `have ${what} in`} base64 of ${min} to ${max} bytes`);
}

export function plainBase64(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('=', '');
}

export function utf8Base64(text: string): string {
  return plainBase64(new TextEncoder().encode(text));
}

/** The bytes of hexadecimal digits as base64; undefined for another text. */
export function hexBase64(text: string): string | undefined {
  return HEX.test(text) ? plainBase64(Buffer.from(text, 'hex')) : undefined;
}

/** The hash as base64, from hexadecimal or base64: the number of bytes decides between the two. */
export function hashOf(text: string, bytes: number, field = 'hash'): string {
  if (text.length === 2 * bytes) {
    const plain = hexBase64(text);
    if (plain !== undefined) return plain;
  }
  const plain = standardBase64(text);
  if (plain !== undefined && base64Bytes(plain) === bytes) return plain;
  throw refusalOf(field, `must be the hexadecimal or base64 form of ${bytes} bytes`);
}

export function within(cost: number, { min, max }: Range, what: string): void {
  if (Number.isInteger(cost) && cost >= min && cost <= max) return;
  throw refusalOf('hash', `must have ${what} from ${min} to ${max}`);
}

/** A plain salt of a text, such as Django's. */
export function textSalt(salt: string): string {
  if (salt.length <= MAX_AFFIX) return utf8Base64(salt);
  throw refusalOf('hash', `must have a salt of at most ${MAX_AFFIX} characters`);
}

/** RFC 7914, section 2: the cost must be less than this, or the hash cannot be computed. */
export function mostScryptCost(r: number): number {
  return 2 ** (16 * r);
}

interface Bytes {
  /** Base64 without padding. */
  readonly salt: string;
  readonly hash: string;
}

/** The costs of scrypt in a text. */
export function checkScrypt(n: number, r: number, p: number): void {
  within(n, SCRYPT.n, 'a cost (n)');
  if (!Number.isInteger(Math.log2(n))) throw refusalOf('hash', 'must have a cost (n) that is a power of two');
  within(r, SCRYPT.r, 'a block size (r)');
  if (n >= mostScryptCost(r)) throw refusalOf('hash', `must have a cost (n) below ${mostScryptCost(r)}`);
  within(p, { min: 1, max: Math.min(SCRYPT.p.max, Math.floor(SCRYPT.work / (n * r))) }, 'a parallelism (p)');
}

export function scryptHash([n, r, p]: readonly [number, number, number], { salt, hash }: Bytes): MigratedHash {
  checkScrypt(n, r, p);
  return { type: 'scrypt', n, r, p, salt, hash };
}

export function pbkdf2Hash(algorithm: Exclude<Hmac, 'md5'>, iterations: string, { salt, hash }: Bytes): MigratedHash {
  if (!/^[0-9]{1,10}$/u.test(iterations)) throw refusalOf('hash', 'must have a whole number of iterations');
  within(Number(iterations), PBKDF2_ITERATIONS, 'a number of iterations');
  return { type: 'pbkdf2', algorithm, iterations: Number(iterations), salt, hash };
}
