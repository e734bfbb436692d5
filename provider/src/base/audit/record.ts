import type { Insertable } from 'kysely';
import type { SessionFactors, NewFactor } from '#domain/rules/factors.ts';
import { isRecord } from '#domain/shape.ts';
import type { Db } from '../db/database.ts';
import { networkKey } from '../security/known-networks.ts';
import type { Services } from '../services.ts';
import type { AuditEvent, Actor, Trail } from './events.ts';
import type { AuditLogTable } from './tables.ts';

export interface AuditEntry {
  readonly event: AuditEvent;
  readonly outcome?: 'ok' | 'refused';
  readonly user_id: string | null;
  readonly actor: Actor;
  readonly method?: string | null;
  /** The address of the caller. Only the keyed hash of its network is stored. */
  readonly address?: string | null;
  readonly request_id?: string | null;
  /** Ids and choices, never addresses, names or secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

type AuditServices = Pick<Services, 'clock' | 'keys'>;

/** The row of an entry, for a statement that also writes other tables. */
export function auditRow({ clock, keys }: AuditServices, entry: AuditEntry): Insertable<AuditLogTable> {
  const { event, outcome = 'ok', user_id, actor, method = null, address = null, request_id = null, details } = entry;
  return {
    created_at: new Date(clock.now()),
    event,
    outcome,
    user_id,
    actor_kind: actor.kind,
    actor_id: actor.id,
    method,
    network: address === null ? null : networkKey({ keys }, address),
    request_id,
    details: JSON.stringify(details ?? {}),
  };
}

/** Writes one row in the transaction of the change, so that both are committed or neither. */
export async function audit(services: AuditServices, tx: Db, entry: AuditEntry): Promise<void> {
  await tx.insertInto('audit_log').values(auditRow(services, entry)).execute();
}

/** The actor in a session: its user, the operator who impersonates them, or the app whose tokens made it. */
export function actorIn(session: SessionFactors & { readonly user_id: string }): Actor {
  const { authentication_factors: factors, user_id } = session;
  const by = factors.find(({ type }) => type === 'impersonated' || type === 'oauth_access_token_exchange');
  return by === undefined ? { kind: 'user', id: user_id } : actorOf(by, user_id);
}

/** The actor of a login with the factor. */
export function actorOf(factor: NewFactor, userId: string): Actor {
  const { impersonated_factor: by, oauth_access_token_exchange_factor: app } = factor;
  if (isRecord(by)) return { kind: 'operator', id: String(by['impersonator_id']) };
  if (isRecord(app)) return { kind: 'app', id: String(app['client_id']) };
  return { kind: 'user', id: userId };
}

interface RequestTrail {
  readonly trail: Trail;
  readonly address: string;
}

/** The entry of a request; null if the request writes none. A repeated transaction calls it again. */
export function entryOf(
  { trail, address }: RequestTrail,
  entry: Omit<AuditEntry, 'event' | 'request_id' | 'address'>,
): AuditEntry | null {
  if (trail.event === null) return null;
  trail.isWritten = true;
  return { ...entry, event: trail.event, actor: trail.by ?? entry.actor, request_id: trail.requestId, address };
}

/** Writes the row of a request in its transaction. */
export async function auditCall(
  services: AuditServices,
  tx: Db,
  caller: RequestTrail,
  entry: Omit<AuditEntry, 'event' | 'request_id' | 'address'>,
): Promise<void> {
  const whole = entryOf(caller, entry);
  if (whole !== null) await audit(services, tx, whole);
}
