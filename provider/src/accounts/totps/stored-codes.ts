import type { Insertable } from 'kysely';
import { normalRecoveryCode } from '#server-rules/totps.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { codeHash } from '#provider/base/security/secrets.ts';
import type { MigratedHash } from '../passwords/exported/migrated-hash.ts';
import { isOfMigrated } from '../passwords/stored.ts';
import type { Services } from '../services.ts';
import type { RecoveryCodesTable } from './tables.ts';

/** Whether the API shows recovery codes after their creation. */
export const showsCodesAgain = ({ mfa }: Services['project']): boolean => mfa?.show_recovery_codes_again ?? true;

type CodeServices = Pick<Services, 'random' | 'keys' | 'project'>;

/** A recovery code of an app, and its place among the others. */
interface PlacedCode<Code> {
  readonly totp_id: string;
  readonly code: Code;
  readonly place: number;
}

/** The row of a recovery code in its normal form. */
export function codeRow(
  { random, keys, project }: CodeServices,
  { totp_id, code, place }: PlacedCode<string>,
): Insertable<RecoveryCodesTable> {
  // Empty if the project shows the codes once: then only the hash is stored.
  const sealed = showsCodesAgain(project) ? seal(random, keys.codeKey, totp_id, code) : '';
  return { totp_id, code_hash: codeHash(keys.codeKey, totp_id, code), sealed, place, migrated: null };
}

/** The row of a recovery code whose hash another system made. It cannot be shown. */
export function migratedCodeRow(
  { random, keys }: CodeServices,
  { totp_id, code, place }: PlacedCode<MigratedHash>,
): Insertable<RecoveryCodesTable> {
  const description = JSON.stringify(code);
  const migrated = seal(random, keys.codeKey, totp_id, description);
  return { totp_id, code_hash: codeHash(keys.codeKey, totp_id, description), sealed: '', place, migrated };
}

/**
 * The spellings of an entered code that another system may have hashed: as it was entered, and without blanks and hyphens or with one in
 * each usual place, because the widget sends a code without them; in any case.
 */
function spellingsOf(code: string): readonly string[] {
  const plain = code.normalize('NFKC').trim();
  const joined = plain.replace(/[\s-]/gu, '');
  const shapes = [plain, joined, ...[joined.length / 2, 4, 5].map((size) => groupsOf(joined, size))];
  return [
    ...new Set([...shapes, ...shapes.map((each) => each.toUpperCase()), ...shapes.map((each) => each.toLowerCase())]),
  ];
}

/** The text in groups of this size, if there are such groups. */
function groupsOf(joined: string, size: number): string {
  if (!Number.isInteger(size) || size < 2 || joined.length % size !== 0) return joined;
  return Array.from({ length: joined.length / size }, (_, place) =>
    joined.slice(place * size, (place + 1) * size),
  ).join('-');
}

/**
 * The key (`code_hash`) under which an entered recovery code is stored. If the app has no such code, that of a code of this server, which
 * then is not found.
 */
export async function storedCodeOf(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { totp_id, imported_codes }: { readonly totp_id: string; readonly imported_codes: boolean },
  code: string,
): Promise<string> {
  const normal = normalRecoveryCode(code);
  const own = codeHash(keys.codeKey, totp_id, normal);
  // A text that is too long has no normal form, and is compared with nothing.
  if (!imported_codes || normal === '') return own;
  const rows = await db
    .selectFrom('recovery_codes')
    .select(['code_hash', 'migrated'])
    .where('totp_id', '=', totp_id)
    .orderBy('place')
    .execute();
  if (rows.some(({ code_hash }) => code_hash === own)) return own;
  const hashes = rows.flatMap(({ code_hash, migrated }) =>
    migrated === null
      ? []
      : [{ code_hash, migrated: JSON.parse(unseal(keys.codeKey, totp_id, migrated)) as MigratedHash }],
  );
  for (const spelling of spellingsOf(code)) {
    for (const { code_hash, migrated } of hashes) if (await isOfMigrated(migrated, spelling)) return code_hash;
  }
  return own;
}
