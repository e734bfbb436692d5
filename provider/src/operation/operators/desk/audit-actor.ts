import { auditRow } from '#provider/base/audit/record.ts';
import type { AuditEvent } from '#provider/base/audit/events.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '#provider/api/services.ts';

/** The operator who acts, for the audit log. */
export interface AuditActor {
  readonly name: string;
  /** The network address of a person at the operators' page; null for a command. */
  readonly address: string | null;
  readonly request_id: string | null;
}

interface OperatorAction {
  readonly event: AuditEvent;
  readonly user_id?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The audit row of an operator's action. */
export function operatorRow(
  services: Pick<Services, 'clock' | 'keys'>,
  { name, address, request_id }: AuditActor,
  { event, user_id = null, details = {} }: OperatorAction,
) {
  return auditRow(services, { event, user_id, actor: { kind: 'operator', id: name }, address, request_id, details });
}

/** Writes the audit row in the transaction of the action. */
export async function auditOperator(
  services: Pick<Services, 'clock' | 'keys'>,
  tx: Db,
  by: AuditActor,
  act: OperatorAction,
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values(operatorRow(services, by, act))
    .execute();
}
