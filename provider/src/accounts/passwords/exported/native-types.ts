import {
  base64Within,
  checkScrypt,
  DIGEST_BYTES,
  Fields,
  hashOf,
  KEY,
  mostScryptCost,
  PBKDF2_ITERATIONS,
  refusalOf,
  SALT,
  SCRYPT,
  utf8Base64,
  within,
  type Range,
} from './checks.ts';
import type { Config, Digest, MigratedHash } from './migrated-hash.ts';

/* The types of hashes of the wire: a text that names its parameters, or a bare hash with a configuration. */

const BCRYPT_COST: Range = { min: 4, max: 14 };
/** The binary logarithm of the number of MD5 rounds. */
const PHPASS_COST: Range = { min: 7, max: 18 };
/** `work` is the memory in KiB times the passes over it. */
const ARGON2 = { memory: { min: 8, max: 262_144 }, passes: { min: 1, max: 1024 }, lanes: { min: 1, max: 16 }, work: 2 ** 20 } as const; // prettier-ignore
/** What the encoded form of Argon2 can hold, in bytes. */
const ARGON2_KEY: Range = { min: 16, max: 64 };
const ARGON2_SALT: Range = { min: 8, max: 48 };

export function bcrypt(hash: string): Extract<MigratedHash, { readonly type: 'bcrypt' }> {
  const cost = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/u.exec(hash)?.[1];
  if (cost === undefined) throw refusalOf('hash', 'must be the 60 characters of bcrypt, from $2a$, $2b$ or $2y$');
  within(Number(cost), BCRYPT_COST, 'a cost');
  return { type: 'bcrypt', encoded: hash };
}

const PHPASS_DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function phpass(hash: string): MigratedHash {
  const cost = /^\$[PH]\$([./0-9A-Za-z])[./0-9A-Za-z]{30}$/u.exec(hash)?.[1];
  if (cost === undefined) throw refusalOf('hash', 'must be the 34 characters of phpass, from $P$ or $H$');
  within(PHPASS_DIGITS.indexOf(cost), PHPASS_COST, 'a cost');
  return { type: 'phpass', encoded: hash };
}

export type Argon2Kind = 'i' | 'd' | 'id';

interface Argon2Parameters {
  readonly version: string;
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
  /** Base64. */
  readonly salt: string;
  readonly key: string;
}

/** Argon2 with the parameters of a text. */
export function argon2Hash(kind: Argon2Kind, parameters: Argon2Parameters): MigratedHash {
  const { version, memory, passes, lanes } = parameters;
  within(lanes, ARGON2.lanes, 'a parallelism (p)');
  within(memory, { ...ARGON2.memory, min: 8 * lanes }, 'a memory (m)');
  within(passes, { min: 1, max: Math.floor(ARGON2.work / memory) }, 'a number of passes (t)');
  const salt = base64Within('hash', parameters.salt, ARGON2_SALT, 'a salt');
  const key = base64Within('hash', parameters.key, ARGON2_KEY, 'a key');
  return { type: 'argon2', encoded: `$argon2${kind}$v=${version}$m=${memory},t=${passes},p=${lanes}$${salt}$${key}` };
}

const ARGON2_TEXT =
  /^\$argon2(id|i|d)\$(?:v=(16|19)\$)?m=([0-9]{1,10}),t=([0-9]{1,10}),p=([0-9]{1,3})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/u;

export function argon2(kind: Argon2Kind, hash: string, config: Config | undefined): MigratedHash {
  const fields = new Fields('argon_2_config', config);
  if (!hash.startsWith('$') && !fields.isMissing) {
    const lanes = fields.integer('threads', ARGON2.lanes);
    const memory = fields.integer('memory', { ...ARGON2.memory, min: 8 * lanes });
    const passes = fields.integer('iteration_amount', ARGON2.passes);
    const key = hashOf(hash, fields.integer('key_length', ARGON2_KEY));
    const salt = utf8Base64(fields.text('salt'));
    base64Within(fields.nameOf('salt'), salt, ARGON2_SALT);
    if (memory * passes > ARGON2.work)
      throw refusalOf(fields.nameOf('iteration_amount'), tooCostly('memory', ARGON2.work));
    return { type: 'argon2', encoded: `$argon2${kind}$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${key}` };
  }
  const found = ARGON2_TEXT.exec(hash);
  if (found?.[1] !== kind) {
    throw refusalOf('hash', `must be $argon2${kind}$… with its parameters, or come with an argon_2_config`);
  }
  // Without a version the text is from before 1.3 of the algorithm.
  const [, , version = '16', memory, passes, lanes, salt = '', key = ''] = found;
  return argon2Hash(kind, { version, memory: Number(memory), passes: Number(passes), lanes: Number(lanes), salt, key });
}

function tooCostly(other: string, most: number): string {
  return `is too costly: multiplied with ${other} it must be at most ${most}`;
}

const SCRYPT_TEXT =
  /^\$scrypt\$ln=([0-9]{1,10}),r=([0-9]{1,10}),p=([0-9]{1,10})\$([A-Za-z0-9+/.]*={0,2})\$([A-Za-z0-9+/.]+={0,2})$/u;
/** Above it `ln` is N itself, as Ory Kratos writes it, and not its logarithm. */
const LARGEST_LOGARITHM = 63;

export function scrypt(hash: string, config: Config | undefined): MigratedHash {
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
  const [cost, r, p] = found.slice(1, 4).map(Number) as [number, number, number];
  const n = cost > LARGEST_LOGARITHM ? cost : 2 ** cost;
  checkScrypt(n, r, p);
  const [, , , , salt = '', key = ''] = found;
  return {
    type: 'scrypt',
    n,
    r,
    p,
    salt: base64Within('hash', salt, SALT, 'a salt'),
    hash: base64Within('hash', key, KEY, 'a key'),
  };
}

const PBKDF2_ALGORITHMS = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;

export function pbkdf2(hash: string, config: Config | undefined): MigratedHash {
  const fields = new Fields('pbkdf_2_config', config);
  if (fields.isMissing) throw refusalOf('pbkdf_2_config', 'is missing');
  const name = fields.text('algorithm', 'sha256');
  const algorithm = PBKDF2_ALGORITHMS.find((each) => each === name);
  if (algorithm === undefined) {
    throw refusalOf(fields.nameOf('algorithm'), 'must be sha1, sha224, sha256, sha384 or sha512');
  }
  const bytes = fields.integer('key_length', KEY);
  const iterations = fields.integer('iteration_amount', PBKDF2_ITERATIONS);
  const salt = base64Within(fields.nameOf('salt'), fields.text('salt'), SALT);
  return { type: 'pbkdf2', algorithm, iterations, salt, hash: hashOf(hash, bytes) };
}

export function digest(algorithm: Digest, hash: string, fields: Fields): MigratedHash {
  const before = fields.text('prepend_salt', '');
  const after = fields.text('append_salt', '');
  return { type: 'digest', algorithm, before, after, hash: hashOf(hash, DIGEST_BYTES[algorithm]) };
}
