import { MAX_AFFIX, refusalOf } from './checks.ts';
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
