import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import { widestNetworkOf } from '../peer.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import { auditRow, type AuditEntry } from './record.ts';

/** Budgets are per hour. */
const WINDOW_MS = 60 * MINUTE_MS;
/** The most rows of one kind about one user from one network (an IPv6 /48), and from all networks. */
const OF_USER_AND_NETWORK = 20;
const OF_USER = 200;
/** The most rows of one kind without a user, from one network, and from all networks. */
const OF_NETWORK = 20;
const OF_ALL = 1_000;
/** The most rows of an action that a user can repeat without limit. */
const OF_REPEATED = 20;
/** The number of counts that one statement closes. */
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
 * Writes a refusal within its budgets, so that guesses of passwords neither fill the database nor hide other rows. A budget is for one
 * event and one reason, about one user and from one network. The first refusal of each is always written. The others are counted, and their
 * number is written when the hour is over (`closeAuditCounts`). Refusals without a user have separate budgets. So do refusals by a
 * network's limit, which are decided before a user is read.
 *
 * The statement always has the same form, so that its time does not reveal whether the user exists.
 */
export async function auditRefusal(
  services: BudgetServices & Pick<Services, 'db'>,
  refusal: AuditEntry,
): Promise<void> {
  const entry = { ...refusal, outcome: 'refused' } as const;
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

/** Writes an action that a user can repeat without limit, within a budget for this user, this event and this app. */
export async function auditRepeated(services: BudgetServices, db: Db, entry: AuditEntry): Promise<void> {
  const { event, user_id } = entry;
  const name = `repeated\n${user_id}\n${event}\n${detailOf(entry, 'client_id')}`;
  await write(services, db, entry, { name, max: OF_REPEATED, user_id, network: null });
}

/** Counts in both budgets. The second budget counts a row only if the first one accepts it, except the first row of the hour. */
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
  // Without a second budget, only the first one limits.
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

/** A string in the details; empty if it is absent. */
function detailOf({ details }: AuditEntry, name: string): string {
  const value = details?.[name];
  return typeof value === 'string' ? value : '';
}

/** The keyed hash of a budget's name. */
function bucketKey({ keys }: Pick<Services, 'keys'>, name: string): string {
  return createHmac('sha256', keys.codeKey).update(`audit\n${name}`).digest('base64url');
}

/** Writes how many events exceeded each budget of a past hour, and deletes the counts. Each count is written by only one process. */
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
