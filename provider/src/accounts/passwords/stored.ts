import type { MigratedHash } from './exported/migrated-hash.ts';
import { normalPassword } from '#server-rules/passwords.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import type { Services } from '../services.ts';
import { hashSlots, needsRehash, verifyPassword } from './hash.ts';
import { isMigrated } from './migrated.ts';
import type { Password } from './store.ts';

/** Begins the stored form of a hash that another system made. */
const MIGRATED = 'migrated:';

/** The stored form of a password that only the old system can check. */
const ELSEWHERE = 'elsewhere:';

/** True for a password that the old system did not export. */
export const isElsewhere = ({ hash }: Pick<Password, 'hash'>): boolean => hash === ELSEWHERE;

/**
 * The stored form of a migrated hash: encrypted, because many such hashes are of weak algorithms, and the passwords of a copy
 * of the database would be found quickly.
 *
 * @param migrated null for a password that the old system did not export
 */
export function storedForm(
  { random, keys }: Pick<Services, 'random' | 'keys'>,
  userId: string,
  migrated: MigratedHash | null,
): string {
  if (migrated === null) return ELSEWHERE;
  return MIGRATED + seal(random, keys.codeKey, userId, JSON.stringify(migrated));
}

/** The hash that another system made; null for one of this server's own. */
export function migratedIn(
  { keys }: Pick<Services, 'keys'>,
  { hash, user_id }: Pick<Password, 'hash' | 'user_id'>,
): MigratedHash | null {
  if (!hash.startsWith(MIGRATED)) return null;
  return JSON.parse(unseal(keys.codeKey, user_id, hash.slice(MIGRATED.length))) as MigratedHash;
}

/** True for a hash that is to be replaced at the next login. */
export function isOutdated({ hash }: Pick<Password, 'hash'>): boolean {
  return isElsewhere({ hash }) || hash.startsWith(MIGRATED) || needsRehash(hash);
}

/**
 * Whether the password is the stored one; undefined for none, which takes as long as a wrong one. A wrong password takes as
 * long as a right one, whose migrated hash is replaced by a new one.
 */
export async function isPassword(
  { keys }: Pick<Services, 'keys'>,
  stored: Pick<Password, 'hash' | 'user_id'> | undefined,
  password: string,
): Promise<boolean> {
  const normal = normalPassword(password);
  const migrated = stored === undefined ? null : migratedIn({ keys }, stored);
  if (migrated === null) return verifyPassword(stored?.hash ?? null, normal);
  return (await isOfMigrated(migrated, password)) || verifyPassword(null, normal);
}

/** Whether the hash of another system is that of the password: that system hashed the entered text, in one of two spellings. */
export async function isOfMigrated(migrated: MigratedHash, password: string): Promise<boolean> {
  for (const spelling of new Set([password, normalPassword(password)])) {
    if (await hashSlots.run(() => isMigrated(migrated, spelling))) return true;
  }
  return false;
}
