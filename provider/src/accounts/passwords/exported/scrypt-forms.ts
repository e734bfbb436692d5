import {
  base64Bytes,
  base64Within,
  checkScrypt,
  Fields,
  hashOf,
  KEY,
  refusalOf,
  SALT,
  SCRYPT,
  scryptHash,
  textSalt,
  within,
  type Range,
} from './checks.ts';
import type { DescribedHash, MigratedHash } from './migrated-hash.ts';
import { partsOf } from './pbkdf2-forms.ts';

const SCRYPT_BYTES = 64;

function whole(text: string): number {
  return /^[0-9]{1,10}$/u.test(text) ? Number(text) : Number.NaN;
}

/** `scrypt$N$SALT$R$P$KEY` of Django, whose salt is plain text. */
export function djangoScrypt(hash: string): MigratedHash {
  const [, n = '', salt = '', r = '', p = '', key = ''] = partsOf(hash, 6, 'scrypt$N$SALT$R$P$KEY');
  return scryptHash([whole(n), whole(r), whole(p)], { salt: textSalt(salt), hash: hashOf(key, SCRYPT_BYTES) });
}

const WERKZEUG = /^\$?scrypt:([0-9]{1,10}):([0-9]{1,10}):([0-9]{1,10})\$([^$]*)\$([^$]+)$/u;

/** `scrypt:N:R:P$SALT$KEY` of Werkzeug, whose salt is plain text. */
export function werkzeugScrypt(hash: string): MigratedHash {
  const [, n = '', r = '', p = '', salt = '', key = ''] = WERKZEUG.exec(hash) ?? [];
  if (key === '') throw refusalOf('hash', 'must be scrypt:N:R:P$SALT$KEY');
  return scryptHash([whole(n), whole(r), whole(p)], { salt: textSalt(salt), hash: hashOf(key, SCRYPT_BYTES) });
}

/** N, r and p that better-auth always uses. */
const BETTER_AUTH = [16_384, 16, 1] as const;

/** `SALT:KEY` of better-auth: the salt is the hexadecimal text itself. */
export function betterAuth(hash: string): MigratedHash {
  const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/u.exec(hash) ?? [];
  if (salt === undefined || key === undefined) {
    throw refusalOf('hash', 'must be 32 hexadecimal digits of salt, a colon and 128 digits of key');
  }
  return scryptHash(BETTER_AUTH, { salt: textSalt(salt), hash: hashOf(key, SCRYPT_BYTES) });
}

/** The parameters that the header of Stytch's export names. */
const STYTCH = { n: 32_768, r: 8, p: 1, bytes: 32 } as const;

/** A hash of Stytch's export. The salt is the text of its column itself, not the bytes that its base64 stands for. */
export function stytch({ hash, salt, scrypt_config }: DescribedHash): MigratedHash {
  if (salt === undefined) throw refusalOf('salt', 'is missing: Stytch exports one of each user beside the hash');
  const fields = new Fields('scrypt_config', scrypt_config);
  const costOf = (field: string, fallback: number): number =>
    scrypt_config?.[field] === undefined ? fallback : fields.integer(field, { min: 1, max: SCRYPT.n.max });
  const costs = [costOf('n_parameter', STYTCH.n), costOf('r_parameter', STYTCH.r), costOf('p_parameter', STYTCH.p)] as const; // prettier-ignore
  const bytes = scrypt_config?.['key_length'] === undefined ? STYTCH.bytes : fields.integer('key_length', KEY);
  return scryptHash(costs, { salt: textSalt(salt), hash: hashOf(hash, bytes) });
}

/* Firebase: its scrypt has a key of the project. */

const ROUNDS: Range = { min: 1, max: 8 };
const MEMORY: Range = { min: 1, max: 18 };
const SEPARATOR: Range = { min: 0, max: 64 };

interface FirebaseTexts {
  readonly hash: string;
  readonly salt: string;
  readonly separator: string;
  readonly key: string;
  readonly rounds: number;
  readonly memory: number;
}

/** @param names the fields of the parts, for an error */
function firebaseHash(
  { rounds, memory, ...texts }: FirebaseTexts,
  names: Readonly<Record<'hash' | 'salt' | 'separator' | 'key', string>>,
): MigratedHash {
  const key = base64Within(names.key, texts.key, KEY, names.key === 'hash' ? 'a signer key' : '');
  const separator = base64Within(names.separator, texts.separator, SEPARATOR, names.separator === 'hash' ? 'a salt separator' : ''); // prettier-ignore
  const salt = base64Within(names.salt, texts.salt, SALT, names.salt === 'hash' ? 'a salt' : '');
  const hash = base64Within(names.hash, texts.hash, KEY, 'a key');
  if (base64Bytes(hash) !== base64Bytes(key)) {
    const lengths = `${base64Bytes(hash)} bytes, and the signer key has ${base64Bytes(key)}`;
    throw refusalOf('hash', `has ${lengths}: they must be equal, so one of them is cut off or of another project`);
  }
  checkScrypt(2 ** memory, rounds, 1);
  return { type: 'firebase', rounds, memory, salt, separator, key, hash };
}

const ALL_IN_HASH = { hash: 'hash', salt: 'hash', separator: 'hash', key: 'hash' } as const;
/** Of Ory Kratos. */
const FIRESCRYPT = /^\$firescrypt\$ln=([0-9]+),r=([0-9]+),p=1\$([^$]*)\$([^$]+)\$([^$]*)\$([^$]+)$/u;
/** Of Supabase. */
const FBSCRYPT = /^\$fbscrypt\$v=1,n=([0-9]+),r=([0-9]+),p=1,ss=([^,$]*),sk=([^,$]+)\$([^$]*)\$([^$]+)$/u;
/** Of Clerk. */
const SEGMENTS = /^([^$]+)\$([^$]*)\$([^$]+)\$([^$]*)\$([0-9]+)\$([0-9]+)$/u;

/** A text of another product that has the parameters of the project in it. */
export function isFirebaseText(hash: string): boolean {
  return /^\$(?:firescrypt|fbscrypt)\$/u.test(hash) || SEGMENTS.test(hash);
}

function textsOf(text: string): FirebaseTexts {
  const kratos = FIRESCRYPT.exec(text);
  if (kratos !== null) {
    const [, memory = '', rounds = '', salt = '', hash = '', separator = '', key = ''] = kratos;
    return { hash, salt, separator, key, rounds: whole(rounds), memory: whole(memory) };
  }
  const supabase = FBSCRYPT.exec(text);
  if (supabase !== null) {
    const [, memory = '', rounds = '', separator = '', key = '', salt = '', hash = ''] = supabase;
    return { hash, salt, separator, key, rounds: whole(rounds), memory: whole(memory) };
  }
  const clerk = SEGMENTS.exec(text);
  if (clerk !== null) {
    const [, hash = '', salt = '', key = '', separator = '', rounds = '', memory = ''] = clerk;
    return { hash, salt, separator, key, rounds: whole(rounds), memory: whole(memory) };
  }
  throw refusalOf('hash', 'must be $firescrypt$ln=…,r=…,p=1$SALT$KEY$SEPARATOR$SIGNER_KEY or another form of Firebase');
}

/** The parameters of a project, checked alone. */
export function checkFirebaseConfig(config: DescribedHash['firebase_config']): void {
  const fields = new Fields('firebase_config', config);
  const key = fields.nameOf('base64_signer_key');
  base64Within(key, fields.text('base64_signer_key'), KEY);
  base64Within(fields.nameOf('base64_salt_separator'), fields.text('base64_salt_separator'), SEPARATOR);
  fields.integer('rounds', ROUNDS);
  fields.integer('mem_cost', MEMORY);
}

export function firebase({ hash, salt, firebase_config }: DescribedHash): MigratedHash {
  if (hash.includes('$')) {
    const texts = textsOf(hash);
    within(texts.rounds, ROUNDS, 'rounds');
    within(texts.memory, MEMORY, 'a memory cost');
    return firebaseHash(texts, ALL_IN_HASH);
  }
  if (firebase_config === undefined) {
    const how =
      'the console of Firebase shows the hash parameters of the project, and users import takes them with --firebase-config';
    throw refusalOf('firebase_config', `is missing: ${how}`);
  }
  if (salt === undefined) throw refusalOf('salt', 'is missing: Firebase exports one of each user beside the hash');
  checkFirebaseConfig(firebase_config);
  const fields = new Fields('firebase_config', firebase_config);
  const texts: FirebaseTexts = {
    hash,
    salt,
    separator: fields.text('base64_salt_separator'),
    key: fields.text('base64_signer_key'),
    rounds: fields.integer('rounds', ROUNDS),
    memory: fields.integer('mem_cost', MEMORY),
  };
  const names = { separator: fields.nameOf('base64_salt_separator'), key: fields.nameOf('base64_signer_key') };
  return firebaseHash(texts, { hash: 'hash', salt: 'salt', ...names });
}
