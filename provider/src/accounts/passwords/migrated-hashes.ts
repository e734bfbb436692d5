import { base64 } from '../../../../src/domain/encoding.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';

/**
 * A password hash that another system made, with everything that a comparison needs. `salt` and `hash` are base64 without
 * padding, except where they are part of a text that names its own parameters (`encoded`).
 */
export type MigratedHash =
  | { readonly type: 'bcrypt' | 'phpass' | 'argon2'; readonly encoded: string }
  | {
      readonly type: 'scrypt';
      readonly n: number;
      readonly r: number;
      readonly p: number;
      readonly salt: string;
      readonly hash: string;
    }
  | {
      readonly type: 'pbkdf2';
      readonly algorithm: 'sha256' | 'sha512';
      readonly iterations: number;
      readonly salt: string;
      readonly hash: string;
    }
  | {
      readonly type: 'digest';
      readonly algorithm: 'md5' | 'sha1' | 'sha512';
      readonly before: string;
      readonly after: string;
      readonly hash: string;
    };

type Config = Readonly<Record<string, unknown>>;

/** The fields of a request that describe the hash. */
export interface DescribedHash {
  readonly hash: string;
  readonly hash_type: string;
  readonly md_5_config?: Config | undefined;
  readonly argon_2_config?: Config | undefined;
  readonly sha_1_config?: Config | undefined;
  readonly sha_512_config?: Config | undefined;
  readonly scrypt_config?: Config | undefined;
  readonly pbkdf_2_config?: Config | undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/*
 * The maximum costs. A comparison at the maximum takes about a second of one core, and 256 MiB. Every login of the user makes one, so a
 * hash without a maximum would let one import slow down the logins of all users.
 */
const BCRYPT_COST: Range = { min: 4, max: 14 };
/** The binary logarithm of the number of MD5 rounds. */
const PHPASS_COST: Range = { min: 7, max: 18 };
const SCRYPT = { n: { min: 2, max: 262_144 }, r: { min: 1, max: 32 }, p: { min: 1, max: 16 }, work: 2 ** 21 } as const;
/** The number of HMACs, two hashes each. */
const PBKDF2_WORK = 2_500_000;
/** `work` is the memory in KiB times the passes over it. */
const ARGON2 = { memory: { min: 8, max: 262_144 }, passes: { min: 1, max: 1024 }, lanes: { min: 1, max: 16 }, work: 2 ** 20 } as const; // prettier-ignore

/** The lengths of derived keys and salts in bytes. */
const KEY: Range = { min: 16, max: 128 };
/** The maximum that the encoded form of Argon2 can hold. */
const ARGON2_KEY: Range = { min: 16, max: 64 };
const ARGON2_SALT: Range = { min: 8, max: 48 };
const SALT: Range = { min: 0, max: 256 };
/** The maximum length of the text before and after the password, in characters. */
const MAX_AFFIX = 256;

const DIGEST_BYTES = { md5: 16, sha1: 20, sha512: 64 } as const;
const HMAC_BYTES = { sha256: 32, sha512: 64 } as const;

function refusalOf(field: string, problem: string): Refusal {
  return new Refusal('invalid_hash', `${field} ${problem}.`, undefined, { field });
}

/** Checks the hash of a request. Refuses a malformed or too costly one, naming the field. */
export function migratedHash(description: DescribedHash): MigratedHash {
  const { hash, hash_type } = description;
  switch (hash_type) {
    case 'bcrypt':
      return bcrypt(hash);
    case 'phpass':
      return phpass(hash);
    case 'argon_2i':
      return argon2('i', hash, description.argon_2_config);
    case 'argon_2id':
      return argon2('id', hash, description.argon_2_config);
    case 'scrypt':
      return scrypt(hash, description.scrypt_config);
    case 'pbkdf_2':
      return pbkdf2(hash, description.pbkdf_2_config);
    case 'md_5':
      return digest('md5', hash, new Fields('md_5_config', description.md_5_config));
    case 'sha_1':
      return digest('sha1', hash, new Fields('sha_1_config', description.sha_1_config));
    case 'sha_512':
      return digest('sha512', hash, new Fields('sha_512_config', description.sha_512_config));
    default: {
      const hashTypes = 'bcrypt, scrypt, argon_2i, argon_2id, md_5, sha_1, sha_512, phpass or pbkdf_2';
      throw refusalOf('hash_type', `must be ${hashTypes}`);
    }
  }
}

/** Reads the fields of a `…_config`. */
class Fields {
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
/** Both alphabets of RFC 4648, and that of passlib, which uses a dot instead of the plus. */
const BASE64 = /^[A-Za-z0-9+/_.-]*={0,2}$/u;

/** True if the last character has no bits beyond the last byte (RFC 4648, section 3.5). The decoder of Argon2 refuses such bits. */
function isCanonical(plain: string): boolean {
  const spare = { 2: /[AQgw]$/u, 3: /[AEIMQUYcgkosw048]$/u }[plain.length % 4];
  return spare === undefined || spare.test(plain);
}

/** Base64 in one spelling: the standard alphabet, without padding. Undefined if the text is not base64. */
function standardBase64(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined;
  const plain = text.replaceAll('=', '').replaceAll(/[.-]/gu, '+').replaceAll('_', '/');
  return plain.length % 4 === 1 || !isCanonical(plain) ? undefined : plain;
}

function base64Bytes(plain: string): number {
  return Math.floor((plain.length * 6) / 8);
}

function base64Within(field: string, text: string, { min, max }: Range): string {
  const plain = standardBase64(text);
  if (plain !== undefined && base64Bytes(plain) >= min && base64Bytes(plain) <= max) return plain;
  throw refusalOf(field, `must be base64 of ${min} to ${max} bytes`);
}

/** The hash as base64, from hexadecimal or base64: the number of bytes decides between the two. */
function hashOf(text: string, bytes: number): string {
  if (HEX.test(text) && text.length === 2 * bytes) {
    const values = (text.match(/../gu) ?? []).map((pair) => Number.parseInt(pair, 16));
    return base64(Uint8Array.from(values)).replaceAll('=', '');
  }
  const plain = standardBase64(text);
  if (plain !== undefined && base64Bytes(plain) === bytes) return plain;
  throw refusalOf('hash', `must be the hexadecimal or base64 form of ${bytes} bytes`);
}

function within(cost: number, { min, max }: Range, what: string): void {
  if (cost < min || cost > max) throw refusalOf('hash', `must have ${what} from ${min} to ${max}`);
}

function bcrypt(hash: string): MigratedHash {
  const cost = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/u.exec(hash)?.[1];
  if (cost === undefined) throw refusalOf('hash', 'must be the 60 characters of bcrypt, from $2a$, $2b$ or $2y$');
  within(Number(cost), BCRYPT_COST, 'a cost');
  return { type: 'bcrypt', encoded: hash };
}

const PHPASS_DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function phpass(hash: string): MigratedHash {
  const cost = /^\$[PH]\$([./0-9A-Za-z])[./0-9A-Za-z]{30}$/u.exec(hash)?.[1];
  if (cost === undefined) throw refusalOf('hash', 'must be the 34 characters of phpass, from $P$ or $H$');
  within(PHPASS_DIGITS.indexOf(cost), PHPASS_COST, 'a cost');
  return { type: 'phpass', encoded: hash };
}

const ARGON2_TEXT =
  /^\$argon2(id|i)\$(?:v=(16|19)\$)?m=([0-9]{1,10}),t=([0-9]{1,10}),p=([0-9]{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/u;

function argon2(kind: 'i' | 'id', hash: string, config: Config | undefined): MigratedHash {
  const fields = new Fields('argon_2_config', config);
  if (!hash.startsWith('$') && !fields.isMissing) {
    const lanes = fields.integer('threads', ARGON2.lanes);
    const memory = fields.integer('memory', { ...ARGON2.memory, min: 8 * lanes });
    const passes = fields.integer('iteration_amount', ARGON2.passes);
    const key = hashOf(hash, fields.integer('key_length', ARGON2_KEY));
    const salt = base64(new TextEncoder().encode(fields.text('salt'))).replaceAll('=', '');
    base64Within(fields.nameOf('salt'), salt, ARGON2_SALT);
    if (memory * passes > ARGON2.work)
      throw refusalOf(fields.nameOf('iteration_amount'), tooCostly('memory', ARGON2.work));
    return { type: 'argon2', encoded: `$argon2${kind}$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${key}` };
  }
  const found = ARGON2_TEXT.exec(hash);
  if (found?.[1] !== kind) {
    throw refusalOf('hash', `must be $argon2${kind}$… with its parameters, or come with an argon_2_config`);
  }
  // A hash without a version is older than version 1.3 of the algorithm.
  const [, , version = '16', memory = '', passes = '', lanes = '', salt = '', key = ''] = found;
  within(Number(lanes), ARGON2.lanes, 'a parallelism (p)');
  within(Number(memory), { ...ARGON2.memory, min: 8 * Number(lanes) }, 'a memory (m)');
  within(Number(passes), { min: 1, max: Math.floor(ARGON2.work / Number(memory)) }, 'a number of passes (t)');
  base64Within('hash', salt, ARGON2_SALT);
  base64Within('hash', key, ARGON2_KEY);
  const costs = `m=${Number(memory)},t=${Number(passes)},p=${Number(lanes)}`;
  return { type: 'argon2', encoded: `$argon2${kind}$v=${version}$${costs}$${salt}$${key}` };
}

function tooCostly(other: string, most: number): string {
  return `is too costly: multiplied with ${other} it must be at most ${most}`;
}

const SCRYPT_TEXT =
  /^\$scrypt\$ln=([0-9]{1,2}),r=([0-9]{1,10}),p=([0-9]{1,10})\$([A-Za-z0-9+/.]*)\$([A-Za-z0-9+/.]+)$/u;

/** RFC 7914, section 2: the cost must be less than this, or the hash cannot be computed. */
function mostScryptCost(r: number): number {
  return 2 ** (16 * r);
}

function scrypt(hash: string, config: Config | undefined): MigratedHash {
  const fields = new Fields('scrypt_config', config);
  if (!hash.startsWith('$') && !fields.isMissing) {
    const n = fields.integer('n_parameter', SCRYPT.n);
    if (!Number.isInteger(Math.log2(n))) throw refusalOf(fields.nameOf('n_parameter'), 'must be a power of two');
    const r = fields.integer('r_parameter', SCRYPT.r);
    const p = fields.integer('p_parameter', SCRYPT.p);
    if (n >= mostScryptCost(r)) throw refusalOf(fields.nameOf('n_parameter'), `must be less than ${mostScryptCost(r)}`);
    if (n * r * p > SCRYPT.work) {
      throw refusalOf(fields.nameOf('n_parameter'), tooCostly('r_parameter and p_parameter', SCRYPT.work));
    }
    const key = hashOf(hash, fields.integer('key_length', KEY));
    return { type: 'scrypt', n, r, p, salt: base64Within(fields.nameOf('salt'), fields.text('salt'), SALT), hash: key };
  }
  const found = SCRYPT_TEXT.exec(hash);
  if (found === null) throw refusalOf('hash', 'must be $scrypt$… with its parameters, or come with a scrypt_config');
  const [, log = '', r = '', p = '', salt = '', key = ''] = found;
  const n = 2 ** Number(log);
  within(n, SCRYPT.n, 'a cost (n)');
  within(Number(r), SCRYPT.r, 'a block size (r)');
  if (n >= mostScryptCost(Number(r)))
    throw refusalOf('hash', `must have a cost (n) below ${mostScryptCost(Number(r))}`);
  within(
    Number(p),
    { min: 1, max: Math.min(SCRYPT.p.max, Math.floor(SCRYPT.work / (n * Number(r)))) },
    'a parallelism (p)',
  );
  return {
    type: 'scrypt',
    n,
    r: Number(r),
    p: Number(p),
    salt: base64Within('hash', salt, SALT),
    hash: base64Within('hash', key, KEY),
  };
}

function pbkdf2(hash: string, config: Config | undefined): MigratedHash {
  const fields = new Fields('pbkdf_2_config', config);
  if (fields.isMissing) throw refusalOf('pbkdf_2_config', 'is missing');
  const algorithm = fields.text('algorithm', 'sha256');
  if (algorithm !== 'sha256' && algorithm !== 'sha512') {
    throw refusalOf(fields.nameOf('algorithm'), 'must be sha256 or sha512');
  }
  const bytes = fields.integer('key_length', KEY);
  const blocks = Math.ceil(bytes / HMAC_BYTES[algorithm]);
  const most = Math.floor(PBKDF2_WORK / blocks);
  const iterations = fields.integer('iteration_amount', { min: 1, max: most });
  const salt = base64Within(fields.nameOf('salt'), fields.text('salt'), SALT);
  return { type: 'pbkdf2', algorithm, iterations, salt, hash: hashOf(hash, bytes) };
}

function digest(algorithm: keyof typeof DIGEST_BYTES, hash: string, fields: Fields): MigratedHash {
  const before = fields.text('prepend_salt', '');
  const after = fields.text('append_salt', '');
  return { type: 'digest', algorithm, before, after, hash: hashOf(hash, DIGEST_BYTES[algorithm]) };
}
