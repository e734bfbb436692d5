import { endsSession } from '../../domain/session.ts';
import { sessions, type Authenticated, type ReplyFor } from '../api/index.ts';
import type { AuthenticatedCall } from '../session/session-lifecycle.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** Extending and ending the session (specification, section 4). */
export class SessionLifecycle {
  constructor(
    private readonly wire: WireClient,
    private readonly store: SessionStore,
    private readonly call: AuthenticatedCall,
  ) {}

  /** Confirms the session with the server, and extends it when a duration is given. */
  async authenticate(session_duration_minutes?: number): Promise<Authenticated> {
    const { write } = await this.call.ask({ session_duration_minutes });
    return write();
  }

  /**
   * Ends the session. It is removed from this browser when the server confirms the end, by a success or by one of four error types;
   * with `forceClear` in every case. Rejects when the call fails.
   */
  async revoke(forceClear: boolean): Promise<ReplyFor<typeof sessions.revoke>> {
    try {
      const reply = await this.wire.call(sessions.revoke, {});
      this.store.clear();
      return reply;
    } catch (error) {
      if (forceClear || endsSession(error)) this.store.clear();
      throw error;
    }
  }
}
