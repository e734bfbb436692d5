import { checkId } from '../../domain/shape.ts';
import { sessions, type ReplyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';

/**
 * The user's sessions in all browsers. These calls are additions to the wire: a server without them refuses with
 * `route_not_found`.
 */
export class OwnSessions {
  constructor(private readonly wire: WireClient) {}

  /** The live sessions, the one used last first. */
  async list(): Promise<ReplyFor<typeof sessions.list>> {
    return this.wire.call(sessions.list, {});
  }

  /** Ends a session by its id. The browser that has it notices at its next request. */
  async revoke(session_id: string): Promise<ReplyFor<typeof sessions.revokeOther>> {
    checkId('session.revokeOther', 'session_id', session_id);
    return this.wire.call(sessions.revokeOther, {}, { params: { session_id } });
  }
}
