import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { transaction } from '../../base/db/transaction.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { KNOWN_NETWORK_MS } from '../../base/security/known-networks.ts';
import type { Services } from '../../api/services.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The condition on `users` of a sign-up that is removed when it is unused: it has an address or number, and its user has proven
 * nothing (`hasProven`). Only the user manages it, and no operator locked it.
 */
const UNPROVEN = sql<SqlBool>`not users.managed and users.locked_at is null
  and (exists (select from emails e where e.user_id = users.user_id)
    or exists (select from phone_numbers n where n.user_id = users.user_id))
  and not exists (select from emails e where e.user_id = users.user_id and e.verified)
  and not exists (select from phone_numbers n where n.user_id = users.user_id and n.verified)
  and not exists (select from oauth_registrations o where o.user_id = users.user_id)
  and not exists (select from crypto_wallets w where w.user_id = users.user_id)`;

/**
 * The condition on `users` of an unused sign-up: no session of the last day, no login of the last month from a network
 * that is remembered, and no valid code or link.
 */
function unused(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select from sessions s where s.user_id = users.user_id)
    and not exists (select from known_networks k where k.user_id = users.user_id
      and k.last_login_at > ${new Date(now - KNOWN_NETWORK_MS)})
    and not exists (select from magic_links l where l.user_id = users.user_id)
    and not exists (select from passcodes c where c.user_id = users.user_id)`;
}

/**
 * Checks the sign-ups that are due: removes those that have proven nothing and are unused, and checks those in use again
 * tomorrow. All others are never checked again. Users are locked meanwhile, so that a concurrent login or verification of an
 * address is either first, or finds the sign-up gone.
 *
 * @returns the number of sign-ups that were due
 */
export async function sweepSignUps({ db, clock }: Pick<Services, 'db' | 'clock'>, batch: number): Promise<number> {
  const now = clock.now();
  return transaction(db, async (tx) => {
    const due = await tx
      .selectFrom('users')
      .select('user_id')
      .where('proof_due_at', '<', new Date(now))
      .orderBy('proof_due_at')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    const ids = due.map(({ user_id }) => user_id);
    await tx.deleteFrom('users').where('user_id', 'in', ids).where(UNPROVEN).where(unused(now)).execute();
    const tomorrow = new Date(now + DAY_MS);
    await tx
      .updateTable('users')
      .set({ proof_due_at: sql<Date | null>`case when ${UNPROVEN} then ${tomorrow}::timestamptz end` })
      .where('user_id', 'in', ids)
      .execute();
    return due.length;
  });
}
