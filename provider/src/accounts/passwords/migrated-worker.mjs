// A thread has no origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
/**
 * The script of a thread of `migrated.ts`: it reports that it has loaded, and answers each `{ type, encoded, password }`
 * with whether the hash is that of the password. An exception ends the thread.
 *
 * Plain JavaScript, because Node loads this file itself: from the sources in tests, from beside `main.js` when built.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

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

const is = {
  bcrypt: (encoded, password) => compareSync(password, encoded),
  phpass: (encoded, password) => timingSafeEqual(Buffer.from(phpass(encoded, password)), Buffer.from(encoded)),
};

parentPort.on('message', ({ type, encoded, password }) => parentPort.postMessage(is[type](encoded, password)));
parentPort.postMessage('loaded');
