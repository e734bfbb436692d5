/** The hashes of crypt(3) with MD5, SHA-256 and SHA-512 (U. Drepper, Unix crypt using SHA-256 and SHA-512), for the thread of `migrated.ts`. */
import { createHash } from 'node:crypto';

const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Six bits to a character, the lowest first, of three bytes of which the first is the highest; the number of characters for what is left. */
function written(bytes, groups, [last, digits]) {
  let text = '';
  const write = (places, count) => {
    let word = places.reduce((value, place) => (value << 8) | bytes[place], 0);
    for (let left = count; left > 0; left -= 1, word >>= 6) text += DIGITS[word & 63];
  };
  for (const group of groups) write(group, 4);
  write(last, digits);
  return text;
}

/** The groups of places that follow from one by adding `step` and rotating it. */
function rotated(count, first, rotation) {
  const groups = [];
  for (let n = 0; n < count; n += 1) {
    const group = first.map((place) => place + n);
    const turn = (n * rotation) % 3;
    groups.push([...group.slice(turn), ...group.slice(0, turn)]);
  }
  return groups;
}

const KINDS = {
  1: {
    algorithm: 'md5',
    write: (bytes) => written(bytes, [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]], [[11], 2]),
  },
  5: { algorithm: 'sha256', write: (bytes) => written(bytes, rotated(10, [0, 10, 20], 2), [[31, 30], 3]) },
  6: { algorithm: 'sha512', write: (bytes) => written(bytes, rotated(21, [0, 21, 42], 1), [[63], 2]) },
}; // prettier-ignore

/** What repeats the bytes up to a length. */
function repeated(bytes, length) {
  return Buffer.alloc(length, bytes);
}

/** The first digest of MD5. */
function firstOfMd5(digest, password, salt) {
  const parts = [password, '$1$', salt, repeated(digest(password, salt, password), password.length)];
  for (let n = password.length; n > 0; n >>= 1) parts.push(n & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  return digest(...parts);
}

/** The first digest of SHA-2. */
function firstOfSha(digest, password, salt) {
  const other = digest(password, salt, password);
  const parts = [password, salt, repeated(other, password.length)];
  for (let n = password.length; n > 0; n >>= 1) parts.push(n & 1 ? other : password);
  return digest(...parts);
}

const DEFAULT_ROUNDS = 5000;
const MD5_ROUNDS = 1000;
/** libxcrypt hashes no longer ones. The time of a round depends on the length. */
const MOST_BYTES = 512;

/** The text of a password with the kind, the rounds and the salt of another. Null for a password that has none. */
export function unixCrypt(encoded, password) {
  const [, kind, count, salt] = /^\$([156])\$(?:rounds=([0-9]+)\$)?([^$]*)\$/u.exec(encoded);
  const { algorithm, write } = KINDS[kind];
  const bytes = Buffer.from(password, 'utf8');
  if (bytes.length > MOST_BYTES) return null;
  const saltBytes = Buffer.from(salt, 'utf8');
  const digest = (...parts) => {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const isMd5 = kind === '1';
  let last = (isMd5 ? firstOfMd5 : firstOfSha)(digest, bytes, saltBytes);
  const p = isMd5 ? bytes : repeated(digest(...Array.from({ length: bytes.length }, () => bytes)), bytes.length);
  const s = isMd5
    ? saltBytes
    : repeated(digest(...Array.from({ length: 16 + last[0] }, () => saltBytes)), saltBytes.length);
  const rounds = isMd5 ? MD5_ROUNDS : Number(count ?? DEFAULT_ROUNDS);
  for (let n = 0; n < rounds; n += 1) {
    const hash = createHash(algorithm).update(n & 1 ? p : last);
    if (n % 3 !== 0) hash.update(s);
    if (n % 7 !== 0) hash.update(p);
    last = hash.update(n & 1 ? last : p).digest();
  }
  return encoded.slice(0, encoded.lastIndexOf('$') + 1) + write(last);
}
