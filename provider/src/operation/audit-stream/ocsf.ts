import type { Selectable } from 'kysely';
import type { AuditEvent } from '#provider/base/audit/events.ts';
import type { AuditLogTable } from '#provider/base/audit/tables.ts';

/** An event of the Open Cybersecurity Schema Framework, as JSON. */
export type OcsfEvent = Readonly<Record<string, unknown>>;

/** A class of events of the Open Cybersecurity Schema Framework, with its category. */
interface EventClass {
  readonly class_uid: number;
  readonly category_uid: number;
}

/** https://schema.ocsf.io/1.2.0 */
const VERSION = '1.2.0';
const AUTHENTICATION: EventClass = { class_uid: 3002, category_uid: 3 };
const ACCOUNT_CHANGE: EventClass = { class_uid: 3001, category_uid: 3 };
/** For events without a user: clients, keys, settings. */
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

const PRODUCT = { name: 'Portico', vendor_name: 'Portico' } as const;
const INFORMATIONAL = 1;
const HIGH = 4;
const SUCCESS = 1;
const FAILURE = 2;

/** The actor of an event, if it has no id. */
const UNKNOWN = 'unknown';

/** The fields that the event's class requires about the subject, the actor and the origin. */
function partiesOf(row: Selectable<AuditLogTable>, { class_uid }: EventClass): OcsfEvent {
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

/** The event as a line of OCSF. Details without a place in its schema are in `unmapped`. */
function ocsfOf(row: Selectable<AuditLogTable>, previous: number | null): OcsfEvent {
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
      product: PRODUCT,
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

/** Each event contains the number of the one before, so that a reader notices a lost one. */
export function chainOf(rows: readonly Selectable<AuditLogTable>[], last: number | null): readonly OcsfEvent[] {
  let previous = last;
  return rows.map((row) => {
    const event = ocsfOf(row, previous);
    previous = row.seq;
    return event;
  });
}

/**
 * Reports that events after a time may be missing, because they were undelivered for longer than the log keeps them. It has no number, so
 * it does not interrupt the chain.
 */
export function incompleteOf(since: Date, outcome: 'refused' | 'any', last: number): OcsfEvent {
  const event_code = 'audit_log_incomplete';
  const { class_uid, category_uid } = API_ACTIVITY;
  return {
    metadata: { version: VERSION, product: PRODUCT, uid: `${event_code}-${last}`, event_code },
    time: since.getTime(),
    class_uid,
    category_uid,
    activity_id: OTHER,
    activity_name: event_code,
    type_uid: class_uid * 100 + OTHER,
    severity_id: HIGH,
    status_id: FAILURE,
    actor: { user: { uid: 'system' } },
    api: { operation: event_code },
    src_endpoint: { uid: UNKNOWN },
    unmapped: { actor_kind: 'system', details: { since: since.toISOString(), outcome } },
  };
}
