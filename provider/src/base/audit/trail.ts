import type { AuditEvent } from './events.ts';
import type { ActorKind } from './tables.ts';

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string | null;
}

/** What the audit log says of one request. Whatever the request does writes one row, in the transaction that does it. */
export class Trail {
  /** Whether the row is written. */
  written = false;
  /** The user whom a login that fails was for. Tells the operator, never the caller. */
  about: string | null = null;

  /**
   * @param event null for a request that writes no row
   * @param by who calls, if it is not the session's user: the app's own server
   */
  constructor(
    readonly requestId: string,
    public event: AuditEvent | null,
    readonly by: Actor | null = null,
  ) {}
}
