import type { MigratedHash } from './migrated-hashes.ts';
import { normalPassword } from '../../../../server-rules/passwords.ts';
import { seal, unseal } from '../../base/security/seal.ts';
import type { Services } from '../services.ts';
import { hashSlots, needsRehash, verifyPassword } from './hash.ts';
import { isMigrated } from './migrated.ts';
import type { Password } from './store.ts';

/** The prefix of the stored form of a hash from another system. */
const MIGRATED = 'migrated:';

/**
 * The stored form of a migrated hash. It is encrypted: many such hashes use weak algorithms, so a copy of the database would quickly reveal
 * the passwords.
 */
export function storedForm(
  { random, keys }: Pick<Services, 'random' | 'keys'>,
  userId: string,
  migrated: MigratedHash,
): string {
  return MIGRATED + seal(random, keys.codeKey, userId, JSON.stringify(migrated));
}

/** The hash from another system; null for this server's own hashes. */
export function migratedIn(
  { keys }: Pick<Services, 'keys'>,
  { hash, user_id }: Pick<Password, 'hash' | 'user_id'>,
): MigratedHash | null {
  if (!hash.startsWith(MIGRATED)) return null;
  return JSON.parse(unseal(keys.codeKey, user_id, hash.slice(MIGRATED.length))) as MigratedHash;
}

/** True for a hash that the next login must replace. */
export function isOutdated({ hash }: Pick<Password, 'hash'>): boolean {
  return hash.startsWith(MIGRATED) || needsRehash(hash);
}

/**
 * Whether this is the stored password. Without a stored password (undefined) it takes as long as for a wrong one. A wrong password takes as
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
  // The other system hashed the text as entered, in one of these spellings.
  for (const spelling of new Set([password, normal])) {
    if (await hashSlots.run(() => isMigrated(migrated, spelling))) return true;
  }
  return verifyPassword(null, normal);
}
