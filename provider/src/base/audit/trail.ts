import type { AuditEvent } from './events.ts';
import type { ActorKind } from './tables.ts';

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string | null;
}

/** The audit row of one request. The statement or transaction that makes the change writes it. */
export class Trail {
  /** Whether the row is written. */
  isWritten = false;
  /** The user of a failed login. Only the operator sees it; no reply contains it. */
  about: string | null = null;

  /**
   * @param event null for a request that writes no row
   * @param by the caller, if it is not the session's user: the app's own server
   */
  constructor(
    readonly requestId: string,
    public event: AuditEvent | null,
    readonly by: Actor | null = null,
  ) {}
}
