import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import { widestNetworkOf } from '../peer.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import { auditRow, type AuditEntry } from './record.ts';

/** Budgets are of hours. */
const WINDOW_MS = 60 * MINUTE_MS;
/** The most rows of one kind about one user from one network (an IPv6 /48), and from all networks. */
const OF_USER_AND_NETWORK = 20;
const OF_USER = 200;
/** The most rows of one kind that are about no user, from one network, and from all. */
const OF_NETWORK = 20;
const OF_ALL = 1_000;
/** The most rows of what a user may repeat at will. */
const OF_REPEATED = 20;
/** How many counts one statement closes. */
const BATCH = 500;

interface Budget {
  readonly name: string;
  readonly max: number;
  readonly user_id: string | null;
  /** The keyed hash of the network; null for all networks. */
  readonly network: string | null;
}

type BudgetServices = Pick<Services, 'clock' | 'keys'>;

/**
 * Writes a refusal within its budgets. Whoever tries passwords must not fill the database, and must hide nothing either: a budget is of
 * one event and one reason, about one user and from one network. The first refusal of each is written in any case. What is not
 * written is counted, and the count is written when the hour is over (`closeAuditCounts`). Refusals about no user have budgets
 * of their own, and so have those by the limit of a network, which come before any user is looked at.
 *
 * One statement of the same form in every case, so that its time does not tell whether there is a user.
 */
export async function auditRefusal(services: BudgetServices & Pick<Services, 'db'>, given: AuditEntry): Promise<void> {
  const entry = { ...given, outcome: 'refused' } as const;
  const { event, user_id, address = null } = entry;
  const type = detailOf(entry, 'error_type');
  const network = auditRow(services, entry).network ?? null;
  const wide = address === null ? '' : widestNetworkOf(address);
  const kind = `${event}\n${type}`;
  const isAboutUser = user_id !== null && type !== 'too_many_requests';
  const [own, all]: readonly [Budget, Budget] = isAboutUser
    ? [
        { name: `user\n${user_id}\n${wide}\n${kind}`, max: OF_USER_AND_NETWORK, user_id, network },
        { name: `user\n${user_id}\n${kind}`, max: OF_USER, user_id, network: null },
      ]
    : [
        { name: `network\n${wide}\n${kind}`, max: OF_NETWORK, user_id: null, network },
        { name: `all\n${kind}`, max: OF_ALL, user_id: null, network: null },
      ];
  await write(services, services.db, entry, own, all);
}

/** Writes what a user may repeat at will, within a budget of the user and of what it is about. */
export async function auditRepeated(services: BudgetServices, db: Db, entry: AuditEntry): Promise<void> {
  const { event, user_id } = entry;
  const name = `repeated\n${user_id}\n${event}\n${detailOf(entry, 'client_id')}`;
  await write(services, db, entry, { name, max: OF_REPEATED, user_id, network: null });
}

/** Counts in both budgets; in the second one what the first has room for, except the first time. */
async function write(services: BudgetServices, db: Db, entry: AuditEntry, own: Budget, all?: Budget): Promise<void> {
  const row = auditRow(services, entry);
  const start = Math.floor(services.clock.now() / WINDOW_MS) * WINDOW_MS;
  const [since, until] = [new Date(start), new Date(start + WINDOW_MS)];
  const counting = ({ name, max, user_id, network }: Budget, when: RawBuilder<unknown>) => sql`(
    insert into audit_counts
      (bucket, window_start, window_end, event, outcome, user_id, network, error_type, budget, hits)
    select ${bucketKey(services, name)}, ${since}::timestamptz, ${until}::timestamptz, ${row.event}, ${row.outcome},
      ${user_id}, ${network}, ${detailOf(entry, 'error_type') || null}, ${max}::integer, 1 ${when}
    on conflict (bucket, window_start) do update set hits = audit_counts.hits + 1 returning hits)`;
  const most = sql`${own.max}::integer`;
  const both = all ?? { ...own, name: `${own.name}\nall`, max: own.max };
  // Only the budget of one network, or of one user, is left where there is no second one.
  const within = all === undefined ? sql`false` : sql`hits between 2 and ${most}`;
  await sql`with own as ${counting(own, sql``)},
    shared as ${counting(both, sql`from own where ${within}`)},
    counts as (select own.hits, shared.hits as shared from own left join shared on true)
    insert into audit_log (created_at, event, outcome, user_id, actor_kind, actor_id, method, network, request_id, details)
    select ${row.created_at}::timestamptz, ${row.event}, ${row.outcome}, ${row.user_id ?? null}, ${row.actor_kind},
      ${row.actor_id ?? null}, ${row.method ?? null}, ${row.network ?? null}, ${row.request_id ?? null},
      ${row.details}::jsonb || case when hits = ${most} or shared = ${both.max}::integer
        then jsonb_build_object('counted_until', ${until.toISOString()}::text) else '{}'::jsonb end
    from counts where hits <= ${most} and (shared is null or shared <= ${both.max}::integer)`.execute(db);
}

/** A text of the details; empty where there is none. */
function detailOf({ details }: AuditEntry, name: string): string {
  const value = details?.[name];
  return typeof value === 'string' ? value : '';
}

/** The keyed hash of a budget's name. */
function bucketKey({ keys }: Pick<Services, 'keys'>, name: string): string {
  return createHmac('sha256', keys.codeKey).update(`audit\n${name}`).digest('base64url');
}

/**
 * Writes how many more there were than each budget of a past hour allowed, and forgets the counts. Of several processes one writes
 * each.
 */
export async function closeAuditCounts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  for (;;) {
    const now = new Date(clock.now());
    const { rows } = await sql<{ readonly closed: number }>`with closed as (
        delete from audit_counts where (bucket, window_start) in (
          select bucket, window_start from audit_counts where window_end <= ${now}
          order by window_end limit ${sql.lit(BATCH)} for update skip locked)
        returning *),
      written as (
        insert into audit_log (created_at, event, outcome, user_id, actor_kind, network, details)
        select ${now}::timestamptz, event, outcome, user_id, 'system', network, jsonb_build_object(
          'error_type', error_type, 'more', hits - budget, 'since', window_start, 'until', window_end)
        from closed where hits > budget)
      select count(*)::integer as closed from closed`.execute(db);
    if ((rows[0]?.closed ?? 0) < BATCH) return;
  }
}
