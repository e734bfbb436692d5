import {
  base64Bytes,
  base64Within,
  DIGEST_BYTES,
  hashOf,
  hexBase64,
  HMAC_BYTES,
  MAX_AFFIX,
  plainBase64,
  refusalOf,
  SALT,
  standardBase64,
  textSalt,
  utf8Base64,
  within,
  type Range,
} from './checks.ts';
import type { Digest, Hmac, MigratedHash } from './migrated-hash.ts';
import { unixCrypt } from './bcrypt-forms.ts';
import { bcrypt } from './native-types.ts';
import { partsOf } from './pbkdf2-forms.ts';

const PASSWORD = '{PASSWORD}';
const PASSWORD_SALT = '{PASSWORD}{SALT}';
const SALT_PASSWORD = '{SALT}{PASSWORD}';

const LDAP = /^\{(S?)(MD5|SHA|SHA256|SHA512)\}([A-Za-z0-9+/]+={0,2})$/iu;
const LDAP_ALGORITHMS: Readonly<Record<string, Digest>> = { MD5: 'md5', SHA: 'sha1', SHA256: 'sha256', SHA512: 'sha512' }; // prettier-ignore

/** What a directory stores. Its export (LDIF) writes the base64 of it. */
function storedText(hash: string): string {
  const decoded = Buffer.from(hash, 'base64').toString('latin1');
  return /^\{(?:S?(?:MD5|SHA[0-9]*)|CRYPT)\}/iu.test(decoded) ? decoded : hash;
}

export function isLdap(hash: string): boolean {
  return /^\{[^"\s}]*\}/u.test(storedText(hash));
}

/** `{SSHA}…` of a directory, whose base64 is that of the digest and the salt, or `{SHA}…` without a salt. */
export function ldap(text: string): MigratedHash {
  const hash = storedText(text);
  // What the directory's system hashes itself.
  if (/^\{crypt\}/iu.test(hash)) {
    const encoded = hash.slice('{CRYPT}'.length);
    return encoded.startsWith('$2') ? bcrypt(encoded) : unixCrypt(encoded);
  }
  const [, salted = '', name = '', base64 = ''] = LDAP.exec(hash) ?? [];
  const algorithm = LDAP_ALGORITHMS[name.toUpperCase()];
  if (algorithm === undefined) {
    throw refusalOf(
      'hash',
      'must be {SSHA}, {SSHA256}, {SSHA512}, {SMD5}, {SHA}, {SHA256}, {SHA512} or {MD5} and base64',
    );
  }
  const plain = standardBase64(base64);
  const length = DIGEST_BYTES[algorithm];
  const [least, most] = salted === '' ? [length, length] : [length + 1, length + SALT.max];
  if (plain === undefined || base64Bytes(plain) < least || base64Bytes(plain) > most) {
    const salt = salted === '' ? '' : ' and a salt after them';
    throw refusalOf('hash', `must have the base64 of ${length} bytes${salt} after {${salted}${name}}`);
  }
  const bytes = Buffer.from(plain, 'base64');
  return {
    type: 'templated',
    algorithm,
    templates: [salted === '' ? PASSWORD : PASSWORD_SALT],
    salt: plainBase64(bytes.subarray(length)),
    hash: plainBase64(bytes.subarray(0, length)),
  };
}

const MOST_PASSWORDS = 8;

/** A text of Ory Kratos into which the password and the salt are written. */
function templateOf(base64: string): string {
  const plain = base64Within('hash', base64, { min: 1, max: MAX_AFFIX }, 'a format (pf)');
  const template = Buffer.from(plain, 'base64').toString('utf8');
  const count = template.split(PASSWORD).length - 1;
  if (utf8Base64(template) === plain && count >= 1 && count <= MOST_PASSWORDS) return template;
  throw refusalOf(
    'hash',
    `must have a format (pf) of text in which ${PASSWORD} stands, at most ${MOST_PASSWORDS} times`,
  );
}

/** `$sha256$pf=FORMAT$SALT$DIGEST` of Ory Kratos, and `$md5$DIGEST`. */
export function kratosDigest(hash: string): MigratedHash {
  const parts = hash.split('$');
  const [, name = '', format = '', salt = '', key = ''] = parts;
  const algorithm = (['md5', 'sha1', 'sha256', 'sha512'] as const).find((each) => each === name);
  if (algorithm !== undefined && parts.length === 3) {
    return { type: 'digest', algorithm, before: '', after: '', hash: hashOf(format, DIGEST_BYTES[algorithm]) };
  }
  if (algorithm === undefined || parts.length !== 5 || !format.startsWith('pf=')) {
    throw refusalOf('hash', 'must be $sha1$, $sha256$, $sha512$ or $md5$ and pf=FORMAT$SALT$DIGEST');
  }
  return {
    type: 'templated',
    algorithm,
    templates: [templateOf(format.slice('pf='.length))],
    salt: base64Within('hash', salt, SALT, 'a salt'),
    hash: hashOf(key, DIGEST_BYTES[algorithm]),
  };
}

/** `sha1$SALT$DIGEST` and `md5$SALT$DIGEST` of Django. */
export function djangoDigest(hash: string): MigratedHash {
  const [name = '', salt = '', key = ''] = partsOf(hash, 3, 'sha1$SALT$DIGEST or md5$SALT$DIGEST');
  const algorithm = name === 'md5' ? 'md5' : 'sha1';
  return {
    type: 'templated',
    algorithm,
    templates: [SALT_PASSWORD],
    salt: textSalt(salt),
    hash: hashOf(key, DIGEST_BYTES[algorithm]),
  };
}

/** `SALT$DIGEST` of Clerk, which does not say on which side of the password the salt is: either is compared. */
export function saltedDigest(algorithm: Digest): (hash: string) => MigratedHash {
  return (hash) => {
    const at = hash.lastIndexOf('$');
    if (at <= 0) throw refusalOf('hash', `must be SALT$DIGEST with ${2 * DIGEST_BYTES[algorithm]} hexadecimal digits`);
    return {
      type: 'templated',
      algorithm,
      templates: [SALT_PASSWORD, PASSWORD_SALT],
      salt: textSalt(hash.slice(0, at)),
      hash: hashOf(hash.slice(at + 1), DIGEST_BYTES[algorithm]),
    };
  };
}

/** Each hashes the password, which has up to 4 kB. */
const SYMFONY_ITERATIONS: Range = { min: 1, max: 100_000 };

/** `sha512_symfony$ITERATIONS$SALT$DIGEST` of Clerk. */
export function symfony(hash: string): MigratedHash {
  const [, iterations = '', salt = '', key = ''] = partsOf(hash, 4, 'sha512_symfony$ITERATIONS$SALT$DIGEST');
  if (!/^[0-9]{1,10}$/u.test(iterations)) throw refusalOf('hash', 'must have a whole number of iterations');
  within(Number(iterations), SYMFONY_ITERATIONS, 'a number of iterations');
  return {
    type: 'symfony',
    iterations: Number(iterations),
    salt: textSalt(salt),
    hash: hashOf(key, DIGEST_BYTES.sha512),
  };
}

/** `$hmac-sha256$DIGEST$KEY` of Ory Kratos, whose digest is the base64 of hexadecimal digits. */
export function kratosHmac(hash: string): MigratedHash {
  const [, name = '', text = '', key = ''] = partsOf(hash, 4, '$hmac-sha256$DIGEST$KEY');
  const algorithm = (Object.keys(HMAC_BYTES) as readonly Hmac[]).find((each) => `hmac-${each}` === name);
  if (algorithm === undefined) {
    const names = Object.keys(HMAC_BYTES).map((each) => `$hmac-${each}$`);
    throw refusalOf('hash', `must begin with ${names.join(', ')}: there is no other HMAC here, such as that of MD4`);
  }
  const digits = standardBase64(text);
  const digest = digits === undefined ? undefined : hexBase64(Buffer.from(digits, 'base64').toString('latin1'));
  if (digest === undefined || base64Bytes(digest) !== HMAC_BYTES[algorithm]) {
    throw refusalOf('hash', `must have the base64 of ${2 * HMAC_BYTES[algorithm]} hexadecimal digits as its digest`);
  }
  const keyBytes = base64Within('hash', key, { min: 1, max: SALT.max }, 'a key');
  return { type: 'hmac', algorithm, keys: [keyBytes], encoding: 'utf8', hash: digest };
}

/** `hmac_sha256_utf16_b64$DIGEST$KEY` of Clerk, which does not say whether the key is text or base64: either is compared. */
export function utf16Hmac(hash: string): MigratedHash {
  const [, digest = '', key = ''] = partsOf(hash, 3, 'hmac_sha256_utf16_b64$DIGEST$KEY');
  const decoded = standardBase64(key);
  const keys = [textSalt(key), ...(decoded === undefined ? [] : [decoded])];
  if (key === '') throw refusalOf('hash', 'must have a key after its digest');
  return { type: 'hmac', algorithm: 'sha256', keys, encoding: 'utf16le', hash: hashOf(digest, HMAC_BYTES.sha256) };
}
