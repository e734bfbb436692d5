// A thread has no origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
/**
 * The script of a thread of `migrated.ts`: it reports that it has loaded, and answers each `{ migrated, password }`
 * with whether the hash is that of the password. An exception ends the thread.
 *
 * Plain JavaScript, because Node loads this file itself: from the sources in tests, from beside `main.js` when built.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import { unixCrypt } from './unix-crypt.mjs';

const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** `$P$`, the cost and eight characters of salt. */
const SETTING_LENGTH = 12;

/** The portable hash of phpass: MD5 of the salt and the password, then again and again of the digest and the password. */
function phpass(setting, password) {
  const bytes = Buffer.from(password, 'utf8');
  const md5 = (first) => createHash('md5').update(first).update(bytes).digest();
  let digest = md5(setting.slice(4, SETTING_LENGTH));
  for (let left = 2 ** DIGITS.indexOf(setting[3]); left > 0; left -= 1) digest = md5(digest);
  return setting.slice(0, SETTING_LENGTH) + written(digest);
}

/** Six bits to a character, the lowest of every three bytes first. */
function written(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const word = bytes[at] | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const digits = Math.min(bytes.length - at, 3) + 1;
    for (let index = 0; index < digits; index += 1) text += DIGITS[(word >> (6 * index)) & 63];
  }
  return text;
}

/**
 * What WordPress hashes: without the blanks around it, and with a backslash before each quote and backslash if it was entered in a
 * form, as PHP once did to all fields.
 */
function wordpressSpellings(password) {
  const trimmed = (text) => text.replaceAll(/^[ \t\n\r\v\0]+|[ \t\n\r\v\0]+$/gu, '');
  return [trimmed(password), trimmed(password.replaceAll(/['"\\]/gu, '\\$&'))];
}

const WORDPRESS_KEY = 'wp-sha384';

/** What the old system gave to bcrypt for the password: one of these texts. */
function bcryptInputs({ over, pepper = '' }, password) {
  if (over === 'sha256') return [createHash('sha256').update(password).digest('hex')];
  if (over !== 'wordpress') return [password + pepper];
  return wordpressSpellings(password).map((text) => createHmac('sha384', WORDPRESS_KEY).update(text).digest('base64'));
}

function symfony({ iterations, salt, hash }, password) {
  const salted = `${password}{${Buffer.from(salt, 'base64').toString('utf8')}}`;
  const bytes = Buffer.from(salted, 'utf8');
  let digest = createHash('sha512').update(bytes).digest();
  for (let left = iterations - 1; left > 0; left -= 1)
    digest = createHash('sha512').update(digest).update(bytes).digest();
  return timingSafeEqual(digest, Buffer.from(hash, 'base64'));
}

function isCrypt({ encoded }, password) {
  const hash = unixCrypt(encoded, password);
  return hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(encoded));
}

const is = {
  bcrypt: (migrated, password) =>
    [...new Set(bcryptInputs(migrated, password))].some((text) => compareSync(text, migrated.encoded)),
  // Other programs than WordPress use phpass, too.
  phpass: ({ encoded }, password) =>
    [...new Set([password, ...wordpressSpellings(password)])].some((text) =>
      timingSafeEqual(Buffer.from(phpass(encoded, text)), Buffer.from(encoded)),
    ),
  crypt: isCrypt,
  symfony,
};

parentPort.on('message', ({ migrated, password }) => parentPort.postMessage(is[migrated.type](migrated, password)));
parentPort.postMessage('loaded');
