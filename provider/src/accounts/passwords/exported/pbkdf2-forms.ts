import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { base64Within, hashOf, hexBase64, HMAC_BYTES, KEY, pbkdf2Hash, refusalOf, SALT, textSalt } from './checks.ts';
import type { Hmac, MigratedHash } from './migrated-hash.ts';
import { argon2Hash, type Argon2Kind } from './native-types.ts';

type Algorithm = Exclude<Hmac, 'md5'>;

function algorithmOf(name: string): Algorithm {
  const found = (['sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const).find((each) => each === name.toLowerCase());
  if (found !== undefined) return found;
  throw refusalOf('hash', 'must be of PBKDF2 with SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512');
}

/** The parts of a text between dollars. Refuses another number of them. */
export function partsOf(hash: string, count: number, shape: string): readonly string[] {
  const parts = hash.split('$');
  if (parts.length === count) return parts;
  throw refusalOf('hash', `must be ${shape}`);
}

/** A key in hexadecimal or base64, of any accepted length. */
function keyOf(text: string): string {
  const hex = hexBase64(text);
  return base64Within('hash', hex ?? text, KEY, 'a key');
}

/** `pbkdf2_sha256$ITERATIONS$SALT$KEY` of Django, whose salt is plain text and whose key is base64. */
export function djangoPbkdf2(hash: string): MigratedHash {
  const [name = '', iterations = '', salt = '', key = ''] = partsOf(hash, 4, 'pbkdf2_sha256$ITERATIONS$SALT$KEY');
  const algorithm = algorithmOf(name.replace('pbkdf2_', ''));
  return pbkdf2Hash(algorithm, iterations, { salt: textSalt(salt), hash: hashOf(key, HMAC_BYTES[algorithm]) });
}

/** The same text of Clerk, whose salt is base64. */
export function clerkPbkdf2(hash: string): MigratedHash {
  const [, iterations = '', salt = '', key = ''] = partsOf(hash, 4, 'pbkdf2_sha256$ITERATIONS$SALT$KEY');
  return pbkdf2Hash('sha256', iterations, {
    salt: base64Within('hash', salt, SALT, 'a salt'),
    hash: base64Within('hash', key, KEY, 'a key'),
  });
}

/** True for a text whose salt may be Clerk's base64, and Django's plain text too: others are Django's. */
export function mayBeOfClerk(hash: string): boolean {
  const salt = hash.split('$')[2] ?? '';
  return salt.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/u.test(salt);
}

/** `pbkdf2_sha1$…`: Django's key is base64 of 20 bytes, and Clerk's hexadecimal, whose salt may be so too. */
export function sha1Pbkdf2(hash: string): MigratedHash {
  const [name = '', iterations = '', salt = '', key = '', length] = hash.split('$');
  const bytes = hexBase64(key);
  if (bytes === undefined) return djangoPbkdf2(hash);
  if (name !== 'pbkdf2_sha1' || hash.split('$').length > 5 || Number(length ?? key.length / 2) !== key.length / 2) {
    throw refusalOf('hash', 'must be pbkdf2_sha1$ITERATIONS$SALT$KEY or pbkdf2_sha1$ITERATIONS$SALT$KEY$KEY_LENGTH');
  }
  return pbkdf2Hash('sha1', iterations, { salt: hexBase64(salt) ?? textSalt(salt), hash: keyOf(key) });
}

/** `pbkdf2_sha512$…`: the salt is plain text, and the key hexadecimal (Clerk) or base64 (hashers for Django). */
export function sha512Pbkdf2(hash: string): MigratedHash {
  const [, iterations = '', salt = '', key = ''] = partsOf(hash, 4, 'pbkdf2_sha512$ITERATIONS$SALT$KEY');
  return pbkdf2Hash('sha512', iterations, { salt: textSalt(salt), hash: keyOf(key) });
}

export function hexPbkdf2(hash: string): MigratedHash {
  const shape = 'pbkdf2_sha512_hex$ITERATIONS$SALT$KEY with salt and key in hexadecimal';
  const [, iterations = '', salt = '', key = ''] = partsOf(hash, 4, shape);
  const saltBytes = hexBase64(salt);
  if (saltBytes === undefined || hexBase64(key) === undefined) throw refusalOf('hash', `must be ${shape}`);
  return pbkdf2Hash('sha512', iterations, { salt: base64Within('hash', saltBytes, SALT, 'a salt'), hash: keyOf(key) });
}

const PHC =
  /^\$pbkdf2(?:-(sha[0-9]+))?\$(?:i=([0-9]+)(?:,l=([0-9]+))?|([0-9]+))\$([A-Za-z0-9+/.]*={0,2})\$([A-Za-z0-9+/.]+={0,2})$/u;

/** `$pbkdf2-sha256$29000$SALT$KEY` of passlib, without an algorithm for SHA-1, and `$pbkdf2-sha256$i=29000,l=32$SALT$KEY` of Ory Kratos. */
export function phcPbkdf2(hash: string): MigratedHash {
  const found = PHC.exec(hash);
  if (found === null) {
    const shape = '$pbkdf2-sha256$ITERATIONS$SALT$KEY or $pbkdf2-sha256$i=ITERATIONS,l=LENGTH$SALT$KEY';
    throw refusalOf('hash', `must be ${shape}`);
  }
  const [, name = 'sha1', kratosCount, length, passlibCount, salt = '', key = ''] = found;
  const algorithm = algorithmOf(name);
  const bytes = length === undefined ? base64Within('hash', key, KEY, 'a key') : hashOf(key, Number(length));
  return pbkdf2Hash(algorithm, kratosCount ?? passlibCount ?? '', {
    salt: base64Within('hash', salt, SALT, 'a salt'),
    hash: base64Within('hash', bytes, KEY, 'a key'),
  });
}

const WERKZEUG = /^pbkdf2:(sha[0-9]+)(?::([0-9]+))?\$([^$]*)\$([0-9a-f]+)$/iu;
/** What Werkzeug used before it wrote the number. */
const WERKZEUG_ITERATIONS = '50000';

export function werkzeugPbkdf2(hash: string): MigratedHash {
  const [, name = '', iterations = WERKZEUG_ITERATIONS, salt = '', key = ''] = WERKZEUG.exec(hash) ?? [];
  if (key === '') throw refusalOf('hash', 'must be pbkdf2:sha256:ITERATIONS$SALT$KEY with a key in hexadecimal');
  const algorithm = algorithmOf(name);
  return pbkdf2Hash(algorithm, iterations, { salt: textSalt(salt), hash: hashOf(key, HMAC_BYTES[algorithm]) });
}

/* Keycloak: a credential of a realm's export. */

type Json = Readonly<Record<string, unknown>>;
const CREDENTIAL = 'a credential of Keycloak, {"credentialData":…,"secretData":…}';

function part(value: unknown): Json {
  const read = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(read) ? read : {};
}

function textIn(json: Json, field: string, fallback?: string): string {
  const value = json[field] ?? fallback;
  // The parameters of Argon2 are lists of one.
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (typeof first === 'string' || typeof first === 'number') return String(first);
  throw refusalOf('hash', `must be ${CREDENTIAL}: ${field} is missing`);
}

/** A credential as its JSON, of Keycloak 8 and newer (`credentialData`, `secretData`) or older (`hashedSaltedValue`). */
export function keycloak(hash: string): MigratedHash {
  const credential = part(hash);
  const type = credential['type'] ?? 'password';
  if (type !== 'password') throw refusalOf('hash', `must be ${CREDENTIAL} of the type password`);
  // The columns of its database have other names than the fields of its export.
  const data = part(credential['credentialData'] ?? credential['credential_data']);
  const secret = part(credential['secretData'] ?? credential['secret_data']);
  const isOld = credential['hashedSaltedValue'] !== undefined;
  const [about, secrets] = isOld ? [credential, credential] : [data, secret];
  const algorithm = textIn(about, 'algorithm', 'pbkdf2-sha256');
  const key = textIn(secrets, isOld ? 'hashedSaltedValue' : 'value');
  const salt = textIn(secrets, 'salt');
  const iterations = textIn(about, 'hashIterations');
  if (algorithm === 'argon2') return keycloakArgon2(part(about['additionalParameters']), { key, salt, iterations });
  const name = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' }[algorithm];
  if (name === undefined) {
    throw refusalOf('hash', 'must be of pbkdf2, pbkdf2-sha256, pbkdf2-sha512 or argon2: Keycloak has no other hashes');
  }
  return pbkdf2Hash(algorithmOf(name), iterations, {
    salt: base64Within('hash', salt, SALT, 'a salt'),
    hash: base64Within('hash', key, KEY, 'a value'),
  });
}

interface Argon2Texts {
  readonly key: string;
  readonly salt: string;
  readonly iterations: string;
}

function keycloakArgon2(parameters: Json, { key, salt, iterations }: Argon2Texts): MigratedHash {
  const kind = textIn(parameters, 'type', 'id');
  const version = { '1.0': '16', '1.3': '19' }[textIn(parameters, 'version', '1.3')];
  if (!/^(?:id|i|d)$/u.test(kind) || version === undefined) {
    throw refusalOf('hash', 'must be of Argon2 of the type id, i or d, and the version 1.0 or 1.3');
  }
  return argon2Hash(kind as Argon2Kind, {
    version,
    memory: Number(textIn(parameters, 'memory')),
    passes: Number(iterations),
    lanes: Number(textIn(parameters, 'parallelism')),
    salt,
    key,
  });
}
