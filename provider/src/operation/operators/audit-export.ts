import type { Selectable } from 'kysely';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { AuditEvent } from '../../base/audit/events.ts';
import type { AuditLogTable } from '../../base/audit/tables.ts';
import { TRANSACTION_MS } from '../../base/db/transaction-limit.ts';
import type { Services } from '../../api/services.ts';
import type { Row } from './listing.ts';

/** A class of events of the Open Cybersecurity Schema Framework, with its category. */
interface EventClass {
  readonly class_uid: number;
  readonly category_uid: number;
}

/** https://schema.ocsf.io/1.2.0 */
const VERSION = '1.2.0';
const AUTHENTICATION: EventClass = { class_uid: 3002, category_uid: 3 };
const ACCOUNT_CHANGE: EventClass = { class_uid: 3001, category_uid: 3 };
/** For what happens to no user: clients, keys, settings. */
const API_ACTIVITY: EventClass = { class_uid: 6003, category_uid: 6 };
const OTHER = 99;

type Activities = Readonly<Partial<Record<AuditEvent, number>>>;
const LOGON = 1;
const LOGOFF = 2;
const AUTHENTICATIONS: Activities = {
  login: LOGON,
  impersonation: LOGON,
  operator_login: LOGON,
  first_factor: OTHER,
  session_bound: OTHER,
  logout: LOGOFF,
  session_revoked: LOGOFF,
  sessions_revoked: LOGOFF,
  operator_logout: LOGOFF,
};
/** Create 1, password change 3, delete 6, lock 9, a factor enabled 10 or disabled 11. */
const ACCOUNT_CHANGES: Activities = {
  sign_up: 1,
  user_created: 1,
  user_imported: 1,
  password_changed: 3,
  password_imported: 3,
  user_deleted: 6,
  user_locked: 9,
  factor_added: 10,
  trusted_device_added: OTHER,
  factor_removed: 11,
};

const INFORMATIONAL = 1;
const SUCCESS = 1;
const FAILURE = 2;

/** Who did something that has no id. */
const UNKNOWN = 'unknown';

/** What the class of the event requires of whom it concerns, and who made it from where. */
function partiesOf(row: Selectable<AuditLogTable>, { class_uid }: EventClass): Row {
  const actor = row.actor_id === null ? {} : { actor: { user: { uid: row.actor_id } } };
  const user = { uid: row.user_id ?? row.actor_id ?? UNKNOWN };
  switch (class_uid) {
    case AUTHENTICATION.class_uid:
      return { user, ...actor, ...(row.method === null ? {} : { auth_protocol: row.method }) };
    case ACCOUNT_CHANGE.class_uid:
      return { user, ...actor };
    default:
      return {
        actor: { user: { uid: row.actor_id ?? row.actor_kind } },
        api: { operation: row.event },
        src_endpoint: { uid: row.network ?? UNKNOWN },
      };
  }
}

/** The event as a line of OCSF. What its schema has no place for is in `unmapped`. */
function ocsfOf(row: Selectable<AuditLogTable>, previous: number | null): Row {
  const event = row.event as AuditEvent;
  const eventClass = event in AUTHENTICATIONS ? AUTHENTICATION : row.user_id === null ? API_ACTIVITY : ACCOUNT_CHANGE;
  const { class_uid, category_uid } = eventClass;
  const activity_id =
    (class_uid === AUTHENTICATION.class_uid ? AUTHENTICATIONS[event] : undefined) ??
    (class_uid === ACCOUNT_CHANGE.class_uid ? ACCOUNT_CHANGES[event] : undefined) ??
    OTHER;
  return {
    metadata: {
      version: VERSION,
      product: { name: 'Portico', vendor_name: 'Portico' },
      uid: String(row.seq),
      sequence: row.seq,
      event_code: row.event,
      ...(row.request_id === null ? {} : { correlation_uid: row.request_id }),
    },
    time: row.created_at.getTime(),
    class_uid,
    category_uid,
    activity_id,
    ...(activity_id === OTHER ? { activity_name: row.event } : {}),
    type_uid: class_uid * 100 + activity_id,
    severity_id: INFORMATIONAL,
    status_id: row.outcome === 'ok' ? SUCCESS : FAILURE,
    ...partiesOf(row, eventClass),
    unmapped: {
      previous,
      actor_kind: row.actor_kind,
      network: row.network,
      ...(row.method === null || eventClass === AUTHENTICATION ? {} : { method: row.method }),
      details: row.details,
    },
  };
}

/** A row of a transaction that is still open may get in before rows that are there. After this time no transaction is open. */
const SETTLED_MS = 3 * TRANSACTION_MS;

/**
 * The oldest rows of the audit log after the one of a number, as OCSF. Each names the number of the one before, so that a reader who
 * lost a line notices. Rows of the last half minute are left to a later call.
 */
export async function exportAudit(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  if (after !== undefined && !/^\d{1,15}$/u.test(after)) {
    throw new Refusal('bad_request', 'after must be the sequence of the last line that you have.');
  }
  const open = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.min<number | null>('seq').as('seq'))
    .where('created_at', '>=', new Date(clock.now() - SETTLED_MS))
    .executeTakeFirst();
  let query = db.selectFrom('audit_log').selectAll().orderBy('seq').limit(limit);
  if (after !== undefined) query = query.where('seq', '>', Number(after));
  const first = open?.seq ?? null;
  if (first !== null) query = query.where('seq', '<', first);
  const rows = await query.execute();
  let previous = after === undefined ? null : Number(after);
  const lines = rows.map((row) => {
    const line = ocsfOf(row, previous);
    previous = row.seq;
    return line;
  });
  return { rows: lines, next: rows.length === limit ? String(previous) : null };
}
