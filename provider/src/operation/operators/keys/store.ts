import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { KeyPurpose } from '#provider/base/security/signing-key-rows.ts';
import { rotateSigningKey } from '#provider/base/security/signing-keys.ts';
import type { Services } from '#provider/api/services.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';

export const PURPOSES: readonly KeyPurpose[] = ['apps', 'sessions'];

/** The signing keys, newest of each purpose first. */
export async function listKeys({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['purpose', 'generation', 'kid', 'created_at', 'active_at', 'sealed'])
    .orderBy('purpose')
    .orderBy('generation', 'desc')
    .execute();
  const now = clock.now();
  const signing = new Map<string, string>();
  for (const { purpose, kid, active_at, sealed } of rows) {
    if (sealed !== null && active_at.getTime() <= now && !signing.has(purpose)) signing.set(purpose, kid);
  }
  return rows.map(({ sealed: _sealed, ...key }) => ({
    ...key,
    state: signing.get(key.purpose) === key.kid ? 'signs' : key.active_at.getTime() > now ? 'next' : 'verifies',
  }));
}

/** Makes a new key that signs from now on. @returns its purpose and id */
export async function rotateKey(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  purposeName: string,
  by: AuditActor,
) {
  const purpose = PURPOSES.find((each) => each === purposeName);
  if (purpose === undefined) throw new Refusal('bad_request', 'purpose must be apps or sessions.');
  return transaction(services.db, async (tx) => {
    const kid = await rotateSigningKey({ ...services, db: tx }, purpose);
    await auditOperator(services, tx, by, { event: 'signing_key_rotated', details: { purpose, kid } });
    return { purpose, kid };
  });
}
