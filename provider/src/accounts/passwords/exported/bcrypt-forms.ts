import { MAX_AFFIX, refusalOf, within, type Range } from './checks.ts';
import type { MigratedHash } from './migrated-hash.ts';
import { bcrypt } from './native-types.ts';

const BCRYPT_LENGTH = 60;

/** `bcrypt_sha256$$2b$…` of Django: bcrypt of the hexadecimal SHA-256, so that no byte of a long password is lost. */
export function djangoBcryptSha256(hash: string): MigratedHash {
  return { ...djangoBcrypt(hash), over: 'sha256' };
}

/** `bcrypt$$2b$…` of Django. */
export function djangoBcrypt(hash: string): Extract<MigratedHash, { readonly type: 'bcrypt' }> {
  return bcrypt(hash.slice(hash.indexOf('$') + 1));
}

/** `$wp$2y$…` of WordPress 6.8 and newer. */
export function wordpress(hash: string): MigratedHash {
  return { ...bcrypt(hash.slice('$wp'.length)), over: 'wordpress' };
}

/** `$2a$…$PEPPER` of Clerk: the old system put the pepper after each password. */
export function pepperedBcrypt(hash: string): MigratedHash {
  const pepper = hash.slice(BCRYPT_LENGTH + 1);
  if (hash[BCRYPT_LENGTH] !== '$' || pepper === '' || pepper.length > MAX_AFFIX) {
    throw refusalOf('hash', `must be the 60 characters of bcrypt, $ and a pepper of at most ${MAX_AFFIX} characters`);
  }
  return { ...bcrypt(hash.slice(0, BCRYPT_LENGTH)), pepper };
}

/** The characters of a digest, and the most of a salt, by the number of the algorithm. */
const CRYPT_LENGTHS: Readonly<Record<string, readonly [digest: number, salt: number]>> = { 1: [22, 8], 5: [43, 16], 6: [86, 16] }; // prettier-ignore
const CRYPT_ROUNDS: Range = { min: 1000, max: 700_000 };
const CRYPT = /^\$([156])\$(?:rounds=([0-9]{1,10})\$)?([^$]*)\$([./0-9A-Za-z]+)$/u;

/** `$1$…`, `$5$…` and `$6$…` of crypt(3), which Ory Kratos writes with names in place of the numbers. */
export function unixCrypt(hash: string): MigratedHash {
  const encoded = hash
    .replace(/^\$md5-crypt\$/u, '$1$')
    .replace(/^\$sha256-crypt\$/u, '$5$')
    .replace(/^\$sha512-crypt\$/u, '$6$');
  const [, kind = '', rounds, salt = '', digest = ''] = CRYPT.exec(encoded) ?? [];
  const [digestLength, saltLength] = CRYPT_LENGTHS[kind] ?? [0, 0];
  const isMd5WithRounds = kind === '1' && rounds !== undefined;
  if (digestLength === 0 || digest.length !== digestLength || salt.length > saltLength || isMd5WithRounds) {
    throw refusalOf(
      'hash',
      'must be $5$SALT$DIGEST of crypt(3), with rounds=N$ before the salt if it has them, $6$… or $1$…',
    );
  }
  if (rounds !== undefined) within(Number(rounds), CRYPT_ROUNDS, 'rounds');
  return { type: 'crypt', encoded };
}
