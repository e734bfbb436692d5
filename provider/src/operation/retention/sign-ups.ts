import { sql } from 'kysely';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { KNOWN_NETWORK_MS } from '#provider/base/security/known-networks.ts';
import type { Services } from '#provider/api/services.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The stored facts about a sign-up. */
interface SignUpFacts {
  readonly user_id: string;
  /** It has an address or number, or entered one. */
  readonly reachable: boolean;
  /** Its user has verified something (`hasProven`). */
  readonly proven: boolean;
  /** It has a session of the last day, a login of the last month from a remembered network, or a valid code or link. */
  readonly used: boolean;
}

/**
 * Checks the sign-ups that are due. Those that have verified nothing and are unused are removed; those in use are checked again tomorrow.
 * All others, such as those that the app manages or an operator locked, are never checked again. Users are locked meanwhile, so that a
 * simultaneous login or verification either comes first, or finds the sign-up gone.
 *
 * @returns the number of sign-ups that were due
 */
export async function sweepSignUps({ db, clock }: Pick<Services, 'db' | 'clock'>, batch: number): Promise<number> {
  const now = clock.now();
  return transaction(db, async (tx) => {
    const due = await tx
      .selectFrom('users')
      .select(['user_id', 'managed', 'locked_at'])
      .where('proof_due_at', '<', new Date(now))
      .orderBy('proof_due_at')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    const own = new Set(
      due.filter(({ managed, locked_at }) => !managed && locked_at === null).map((row) => row.user_id),
    );
    const facts = await factsOf(tx, [...own], now);
    const unproven = facts.filter(({ reachable, proven }) => reachable && !proven);
    const unusedIds = unproven.filter(({ used }) => !used).map(({ user_id }) => user_id);
    const again = unproven.filter(({ used }) => used).map(({ user_id }) => user_id);
    await tx.deleteFrom('users').where('user_id', '=', anyOf(unusedIds)).execute();
    await tx
      .updateTable('users')
      .set({
        proof_due_at: sql<Date | null>`case when user_id = ${anyOf(again)} then ${new Date(now + DAY_MS)}::timestamptz end`,
      })
      .where('user_id', '=', anyOf(due.map(({ user_id }) => user_id)))
      .execute();
    return due.length;
  });
}

const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::text[])`;

/**
 * The facts about these users, read by the indexes on `user_id`. As conditions of a statement on `users` they would become joins, for which
 * PostgreSQL may read all of `emails`.
 */
async function factsOf(db: Db, ids: readonly string[], now: number): Promise<readonly SignUpFacts[]> {
  const mine = sql`user_id = ${anyOf(ids)}`;
  const { rows } = await sql<SignUpFacts>`select user_id, bool_or(reachable) as reachable, bool_or(proven) as proven,
      bool_or(used) as used from (
    select user_id, true as reachable, verified as proven, false as used from emails where ${mine}
    union all select user_id, true, verified, false from phone_numbers where ${mine}
    union all select user_id, true, false, false from users where ${mine} and unproven_email is not null
    union all select user_id, false, true, false from oauth_registrations where ${mine}
    union all select user_id, false, true, false from crypto_wallets where ${mine}
    union all select user_id, false, false, true from sessions where ${mine}
    union all select user_id, false, false, true from known_networks where ${mine}
      and last_login_at > ${new Date(now - KNOWN_NETWORK_MS)}
    union all select user_id, false, false, true from magic_links where ${mine}
    union all select user_id, false, false, true from passcodes where ${mine}) as facts group by user_id`.execute(db);
  return rows;
}
